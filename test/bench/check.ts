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

/** The expected rows of a part that it did not measure, without those of a corpus: which one is there differs. */
export function missingRows(
  part: string,
  measured: readonly Measured[],
  expected: Readonly<Record<string, Expected>>,
): string[] {
  const rows = new Set(measured.map(({ row }) => row));
  return Object.keys(expected).filter(
    (row) => row.startsWith(`${part}/`) && !row.startsWith(`${part}/corpus `) && !rows.has(row),
  );
}

/** Renders compared rows as a Markdown table. */
export function renderTable(rows: readonly Compared[]): string {
  const lines = rows.map(({ row, value, expected, verdict }) => {
    const was = expected === null ? "" : `${figure(expected.value)} ± ${Math.round(100 * expected.noise)} %`;
    return `| ${row} | ${figure(value)} | ${was} | ${verdict === "same" ? "" : verdict} |`;
  });
  return ["| row | now | expected | |", "| --- | --- | --- | --- |", ...lines, "", ""].join("\n");
}

/** Renders a line for each row that is not the same as expected, the worse ones first. */
export function renderVerdicts(rows: readonly Compared[], missing: readonly string[]): string {
  const of = (verdict: Verdict) => rows.filter((row) => row.verdict === verdict);
  const lines = [
    ...of("worse").map((row) => `worse: ${difference(row)}`),
    ...missing.map((row) => `not measured: ${row}; if it is gone, take it out of expected.json`),
    ...of("better").map((row) => `better: ${difference(row)}`),
    ...of("new").map(({ row }) => `not recorded: ${row}`),
  ];
  return `${(lines.length > 0 ? lines : ["all rows are as expected"]).join("\n")}\n`;
}

function difference({ row, value, expected }: Compared): string {
  return `${row} is ${figure(value)}, expected ${expected === null ? "nothing" : figure(expected.value)}`;
}

function figure(value: number): string {
  return value === 0 ? "0" : value.toPrecision(3);
}
