import type { Call } from "./call.ts";

/** A column of the report: a name, and whose calls it counts. */
export interface Column {
  name: string;
  has: (call: Pick<Call, "corpus">) => boolean;
}

/** A corpus with a smaller share of the prompts stands with others of its kind. */
const LARGE = 0.1;

/** Returns a column for each large corpus, one for the small ones together, and one for all. */
export function columnsOf(calls: readonly Call[]): Column[] {
  const asked = calls.filter(({ kind }) => kind === "prompt");
  const prompts = asked.length > 0 ? asked : calls;
  const byCorpus = [...Map.groupBy(prompts, ({ corpus }) => corpus)];
  const large = byCorpus.filter(([, of]) => of.length >= LARGE * prompts.length).map(([name]) => name);
  const columns: Column[] = large.map((name) => ({ name, has: ({ corpus }) => corpus === name }));
  if (byCorpus.length > large.length)
    columns.push({ name: "others", has: ({ corpus }) => !large.includes(corpus) });
  return byCorpus.length === 1 ? columns : [...columns, { name: "all", has: () => true }];
}

/** Returns a table in Markdown with a row for each measure and a column for each group of calls. */
export function table<T>(
  title: string,
  groups: readonly { name: string; of: T }[],
  measures: Readonly<Record<string, (of: T) => string>>,
): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    row([title, ...groups.map(({ name }) => name)]),
    row(["---", ...groups.map(() => "---")]),
    ...Object.entries(measures).map(([name, measure]) => row([name, ...groups.map(({ of }) => measure(of))])),
  ].join("\n");
}
