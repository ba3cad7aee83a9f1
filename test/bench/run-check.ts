import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  betterOf,
  type Compared,
  compare,
  type Expected,
  type Measured,
  missingRows,
  renderTable,
  renderVerdicts,
} from "./check.ts";
import { type CheckPart, type Corpus, recallParts, timedParts } from "./check-parts.ts";

const FILE = join(import.meta.dir, "expected.json");
/** Significant digits of a recorded value. */
const DIGITS = 3;

export interface CheckOptions {
  /** Names of parts; all when empty. */
  only: readonly string[];
  corpus: Corpus | null;
  /** Makes what is measured the expectation. */
  record: boolean;
}

/** Measures every part and returns true when no row is worse than chance allows, and none is missing. */
export async function runCheck({ only, corpus, record }: CheckOptions): Promise<boolean> {
  const timed = timedParts(corpus);
  const parts = { ...timed, ...recallParts(corpus) };
  const unknown = only.find((name) => !(name in parts));
  if (unknown !== undefined)
    throw new Error(`there is no part "${unknown}"; there are ${Object.keys(parts).join(", ")}`);
  if (corpus === null) say("skipped: rows of a corpus; name one with --corpus DIR --queries FILE\n\n");
  const expected = readExpected();
  const compared: Compared[] = [];
  const missing: string[] = [];
  const wanted = Object.entries(parts).filter(([name]) => only.length === 0 || only.includes(name));
  for (const [name, part] of wanted) {
    const startedAt = performance.now();
    const measured = record ? await part.measure() : await measureFairly(part, name in timed, expected);
    const rows = compare(measured, expected);
    say(
      `${name}, measured in ${Math.round((performance.now() - startedAt) / 1_000)} s:\n\n${renderTable(rows)}`,
    );
    compared.push(...rows);
    missing.push(...missingRows(name, measured, expected));
    if (record)
      for (const { row, value } of measured) expected[row] = recorded(value, row, part, expected[row]);
  }
  say(renderVerdicts(compared, missing));
  if (record) writeExpected(expected);
  return record || (missing.length === 0 && compared.every(({ verdict }) => verdict !== "worse"));
}

/** Measures a timed part again where a row of it seems worse: a busy moment is no change of the code. */
async function measureFairly(
  part: CheckPart,
  isTimed: boolean,
  expected: Readonly<Record<string, Expected>>,
): Promise<Measured[]> {
  const first = await part.measure();
  const seemsWorse = compare(first, expected).some(({ verdict }) => verdict === "worse");
  if (!isTimed || !seemsWorse) return first;
  const second = await part.measure();
  return first.map((row, i) => betterOf(row, second[i] ?? row, betterSide(part, row.row)));
}

function recorded(value: number, row: string, part: CheckPart, was: Expected | undefined): Expected {
  const rounded = Number(value.toPrecision(DIGITS));
  return was === undefined
    ? { value: rounded, noise: part.noise, better: betterSide(part, row), how: part.how }
    : { ...was, value: rounded };
}

function betterSide({ better }: CheckPart, row: string): Expected["better"] {
  return typeof better === "function" ? better(row) : better;
}

function readExpected(): Record<string, Expected> {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : {};
}

function writeExpected(expected: Readonly<Record<string, Expected>>): void {
  const sorted = Object.fromEntries(Object.entries(expected).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}

function say(text: string): void {
  process.stdout.write(text);
}
