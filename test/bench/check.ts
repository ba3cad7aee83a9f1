/** One figure of a run: a ratio against a baseline of the same run, or a share of what was asked. */
export interface Measured {
  row: string;
  value: number;
}

/** What a row was when it was last recorded. */
export interface Expected {
  value: number;
  /** The part of the value by which a run may differ from it by chance. */
  noise: number;
  better: "lower" | "higher";
  /** What the value is and how it was measured. */
  how: string;
}

export type Verdict = "worse" | "better" | "same" | "new";

export interface Compared extends Measured {
  expected: Expected | null;
  verdict: Verdict;
}

/** Compares each row with what it was; a row that was never recorded is new. */
export function compare(
  measured: readonly Measured[],
  expected: Readonly<Record<string, Expected>>,
): Compared[] {
  return measured.map(({ row, value }) => {
    const was = expected[row];
    if (was === undefined) return { row, value, expected: null, verdict: "new" };
    return { row, value, expected: was, verdict: verdictOf(value, was) };
  });
}

function verdictOf(value: number, { value: was, noise, better }: Expected): Verdict {
  const change = better === "lower" ? value - was : was - value;
  const allowed = noise * was;
  // What is no number was not measured, which is no better than any value.
  if (!(change <= allowed)) return "worse";
  return change < -allowed ? "better" : "same";
}

/** Of two runs the one that speaks for the row: what else the machine does only makes a time worse. */
export function betterOf(first: Measured, second: Measured, better: Expected["better"]): Measured {
  const isLower = second.value < first.value;
  return isLower === (better === "lower") ? second : first;
}

/** Renders compared rows as a Markdown table, and a line for each that is not the same. */
export function renderCheck(rows: readonly Compared[]): string {
  const lines = rows.map(({ row, value, expected, verdict }) => {
    const was = expected === null ? "" : `${figure(expected.value)} ± ${Math.round(100 * expected.noise)} %`;
    return `| ${row} | ${figure(value)} | ${was} | ${verdict === "same" ? "" : verdict} |`;
  });
  const worse = rows.filter(({ verdict }) => verdict === "worse").map((row) => `worse: ${told(row)}`);
  const better = rows.filter(({ verdict }) => verdict === "better").map((row) => `better: ${told(row)}`);
  const fresh = rows.filter(({ verdict }) => verdict === "new").map(({ row }) => `not recorded: ${row}`);
  return [
    "| row | now | expected | |",
    "| --- | --- | --- | --- |",
    ...lines,
    "",
    ...worse,
    ...better,
    ...fresh,
    "",
  ].join("\n");
}

function told({ row, value, expected }: Compared): string {
  return `${row} is ${figure(value)}, expected ${expected === null ? "nothing" : figure(expected.value)}`;
}

function figure(value: number): string {
  return value === 0 ? "0" : value.toPrecision(3);
}
