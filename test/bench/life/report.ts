import { wilson } from "../measures.ts";
import type { Call } from "./call.ts";
import { type Column, columnsOf, table } from "./columns.ts";
import { judge, netsOf } from "./judged.ts";
import type { Labels } from "./labels.ts";
import { type Count, countOf, netCounts, type Worth, worthOf } from "./worth.ts";

/** Returns the report of a play in Markdown: what was told, where, and how far that was worth it by the labels. */
export function reportOf(calls: readonly Call[], labels: Labels): string {
  const columns = columnsOf(calls);
  const groups = (kind: Call["kind"]) =>
    grouped(
      calls.filter((call) => call.kind === kind),
      columns,
    );
  const judged = judge(calls, labels);
  const tables = [
    table("what is told", groups("prompt"), TOLD),
    table("answered, turns of an answer", groups("prompt"), PLACES),
    ...(calls.some(({ kind }) => kind === "file")
      ? [table("file hook", groups("file"), { ...FILES, ...netMeasures(labels) })]
      : []),
    ...(judged.length > 0
      ? [
          table(
            "by the labels",
            columns.map(({ name, has }) => ({ name, of: worthOf(judged.filter(({ call }) => has(call))) })),
            WORTH,
          ),
        ]
      : []),
  ];
  return tables.join("\n\n");
}

type Measures<T> = Readonly<Record<string, (of: T) => string>>;

const TOLD: Measures<readonly Call[]> = {
  prompts: (calls) => String(calls.length),
  answered: (calls) => counted(countOf(calls, isAnswered)),
  "characters of an answer": (calls) => mean(calls.filter(isAnswered).map(({ chars }) => chars)),
  "turns of an answer": (calls) => mean(toldCounts(calls), 2),
  "answers with 1, 2, 3 and more turns": (calls) =>
    [1, 2].map((n) => toldCounts(calls).filter((count) => count === n).length).join(", ") +
    `, ${toldCounts(calls).filter((count) => count >= 3).length}`,
  "told turns of the session that is told most": (calls) => counted(mostTold(calls)),
  "sessions told of": (calls) => String(new Set(sessionsTold(calls)).size),
  "mean time of the hook, ms": (calls) => mean(calls.map(({ ms }) => ms)),
};

const PLACES: Measures<readonly Call[]> = Object.fromEntries(
  (["first", "second or third", "later"] as const).map((place) => [
    `${place} prompt of a session`,
    (calls: readonly Call[]) => {
      const here = calls.filter((call) => call.place === place);
      return `${counted(countOf(here, isAnswered))}, ${mean(toldCounts(here), 2)}`;
    },
  ]),
);

const FILES: Measures<readonly Call[]> = {
  "reads and edits": (calls) => String(calls.length),
  "with a text": (calls) => counted(countOf(calls, isAnswered)),
  "characters of a text": (calls) => mean(calls.filter(isAnswered).map(({ chars }) => chars)),
};

function netMeasures(labels: Labels): Measures<readonly Call[]> {
  if (labels.answers.length === 0) return {};
  const of = (calls: readonly Call[]) => netCounts(netsOf(calls, labels));
  return {
    "that help": (calls) => counted(of(calls).helps),
    "that distract or mislead": (calls) => counted(of(calls).misleads),
    "not judged": (calls) => String(of(calls).unjudged),
  };
}

const WORTH: Measures<Worth> = {
  "prompts without need that are answered": ({ noNeed }) => counted(noNeed),
  "prompts with need and a turn worth telling, told one": ({ told }) => counted(told),
  "told turns worth recalling": ({ turns }) => counted(turns),
  "told statements that help": ({ statements }) => counted(statements),
  "prompts with need but nothing to tell that are answered": ({ nothingToTell }) => counted(nothingToTell),
  "answers that help as a whole": ({ helps }) => counted(helps),
  "answers that mislead": ({ misleads }) => counted(misleads),
  "not judged: turns, statements, answers, prompts with need": ({ unjudged }) =>
    [unjudged.turns, unjudged.statements, unjudged.answers, unjudged.prompts].join(", "),
};

/** Formats a count with its share and the 95 % interval of that. */
export function counted({ hits, of }: Count): string {
  if (of === 0) return "-";
  const { share, low, high } = wilson(hits, of);
  return `${hits}/${of} = ${short(share)} (${short(low)}–${short(high)})`;
}

function short(share: number): string {
  return Math.abs(share).toFixed(2).replace(/^0/, "");
}

function grouped(
  calls: readonly Call[],
  columns: readonly Column[],
): { name: string; of: readonly Call[] }[] {
  return columns.map(({ name, has }) => ({ name, of: calls.filter(has) }));
}

function isAnswered({ chars }: Call): boolean {
  return chars > 0;
}

/** How many turns each answer tells. */
function toldCounts(calls: readonly Call[]): number[] {
  return calls.filter(isAnswered).map(({ turns }) => turns.length);
}

function sessionsTold(calls: readonly Call[]): string[] {
  return calls.flatMap(({ corpus, turns }) => turns.map(({ session }) => `${corpus} ${session}`));
}

function mostTold(calls: readonly Call[]): Count {
  const told = sessionsTold(calls);
  const sizes = [...Map.groupBy(told, (session) => session).values()].map(({ length }) => length);
  return { hits: Math.max(0, ...sizes), of: told.length };
}

function mean(values: readonly number[], digits = 0): string {
  if (values.length === 0) return "-";
  return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(digits);
}
