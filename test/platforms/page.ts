import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { TARGETS } from "../../src/assets/target.ts";
import type { Outcome } from "./check.ts";
import type { System } from "./systems.ts";

export interface Result extends Pick<System, "name" | "target" | "how"> {
  outcomes: readonly Outcome[];
}

const BEGIN = "<!-- made by bun run try:platforms --page -->";
const END = "<!-- /made -->";

const HEAD = "| system | binary | how | tried | checks that hold |\n| --- | --- | --- | --- | --- |\n";

/** Writes into the page what was tried now; what was not keeps its row. */
export async function writePage(results: readonly Result[], root: string): Promise<void> {
  const file = Bun.file(join(root, ".github", "docs", "platforms.md"));
  await Bun.write(file, withResults(await file.text(), results, new Date()));
}

/** Puts rows into the table between the marks of a page, in the order of the targets. */
export function withResults(page: string, results: readonly Result[], now: Date): string {
  const [before = "", rest = ""] = page.split(`${BEGIN}\n`);
  const [table, after] = rest.split(`${END}\n`);
  if (table === undefined || after === undefined) throw new Error(`the page has no ${BEGIN} and ${END}`);
  const rows = new Map(
    table
      .split("\n")
      .slice(2)
      .filter((row) => row !== "")
      .map((row) => [row.split(" | ")[0]?.slice(2), row]),
  );
  for (const result of results) rows.set(result.name, renderRow(result, now));
  const place = (row: string) => TARGETS.findIndex((target) => row.includes(`| \`${target}\` |`));
  const sorted = [...rows.values()].sort((one, other) => place(one) - place(other));
  return `${before}${BEGIN}\n${HEAD}${sorted.map((row) => `${row}\n`).join("")}${END}\n${after}`;
}

/** Renders how one system was tried, as it came out. */
function renderRow({ name, target, how, outcomes }: Result, now: Date): string {
  const failed = outcomes.filter(({ problem }) => problem !== "").map((outcome) => outcome.name);
  const held = `${outcomes.length - failed.length} of ${outcomes.length}`;
  const tried = `${manifest.version}, ${now.toISOString().slice(0, 10)}`;
  return `| ${name} | \`${target}\` | ${how} | ${tried} | ${[held, ...failed].join("; not: ")} |`;
}
