import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type GateFeatures, handfulCaution, memorySize } from "../../src/search/gate.ts";
import type { GateRecord } from "./ask.ts";
import { share } from "./measures.ts";

/** Of the unrelated prompts of the fitted half, at most this share may be answered: other memories are less clear-cut. */
const UNRELATED_SHARE = 0.031;
/** A memory with fewer right prompts than this counts less. */
const ENOUGH_RIGHT = 40;
const ROUNDS = 600;
const RATE = 0.1;
const SHRINK = 2e-3;

/** How much less is asked of a smaller memory is fitted with the features. */
const SIZE = "size";
const NAMES = [
  ...(Object.keys({
    nearness: 0,
    phrases: 0,
    turnCoverage: 0,
    unknown: 0,
    keywordStrength: 0,
    words: 0,
    agreement: 0,
    named: 0,
  } satisfies GateFeatures) as (keyof GateFeatures)[]),
  SIZE,
] as const;

/** What speaks against an answer; some may do either. */
const AGAINST = new Set<string | undefined>(["unknown"]);
const EITHER = new Set<string | undefined>(["words", SIZE]);

interface Example {
  record: GateRecord;
  x: number[];
  weight: number;
}

const { positionals } = parseArgs({ allowPositionals: true });
const say = (line: string) => process.stdout.write(`${line}\n`);

const files = positionals.map(readExamples);
const fitted = files.flat().filter(({ record }) => record.half === 0 && !record.inSession);
const model = fit(fitted);
const bias = model.bias + thresholdShift(model);
say("weights for src/search/weights.ts, with the threshold at 0.5:");
say(
  JSON.stringify({
    bias: round(bias),
    ...Object.fromEntries(
      NAMES.map((name, i) => [name, round((model.weights[i] ?? 0) * (name === SIZE ? -1 : 1))]),
    ),
  }),
);
for (const [i, file] of positionals.entries())
  say(`${file}: by itself it would ask ${ownThreshold(files[i] ?? []).toFixed(2)} logits more`);
for (const [i, file] of positionals.entries())
  for (const inSession of [false, true])
    for (const half of [0, 1]) {
      const chosen = (files[i] ?? []).filter(
        ({ record }) => record.half === half && record.inSession === inSession,
      );
      if (chosen.length === 0) continue;
      const right = chosen.filter(({ record }) => record.right);
      const wrong = chosen.filter(({ record }) => !record.right);
      const figures = [
        share(right, isOpen),
        share(right, (one) => isOpen(one) && one.record.holdsRight),
        share(right, (one) => one.record.holdsRight),
        share(wrong, isOpen),
      ];
      say(
        `${file} ${inSession ? "in session" : "fresh     "} half ${half}: answered, with right, most possible, unrelated: ${figures.map((n) => n.toFixed(3)).join("  ")}`,
      );
    }

/** How far from the common threshold a memory has its share of unrelated prompts. */
function ownThreshold(examples: readonly Example[]): number {
  const logits = examples
    .filter(({ record }) => !record.right && record.half === 0)
    .map(({ x }) => logit({ bias, weights: model.weights }, x))
    .sort((a, b) => b - a);
  return logits[Math.floor(UNRELATED_SHARE * logits.length)] ?? 0;
}

function isOpen({ x, record }: Example): boolean {
  return logit({ bias, weights: model.weights }, x) - handfulCaution(record.chunks) >= 0;
}

/** Prompts that no search was made for tell nothing; each class and file counts the same. */
function readExamples(file: string): Example[] {
  const records = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as GateRecord)
    .filter((record) => record.features !== null && record.group !== "trivial");
  const first = records.filter(({ half, inSession }) => half === 0 && !inSession);
  const counts = Map.groupBy(first, (record) => record.right);
  const worth = Math.min(1, (counts.get(true)?.length ?? 0) / ENOUGH_RIGHT);
  return records.map((record) => ({
    record,
    x: NAMES.map((name) => (name === SIZE ? memorySize(record.chunks) : (record.features?.[name] ?? 0))),
    weight: worth / (counts.get(record.right)?.length ?? 1),
  }));
}

/** Logistic regression (Adam, L2) on standardised features; no weight may have the wrong sign. */
function fit(examples: readonly Example[]): { bias: number; weights: number[] } {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const { means, deviations } = spreadOf(examples.map(({ x }) => x));
  const standard = examples.map((one) => ({
    ...one,
    x: one.x.map((value, i) => (value - (means[i] ?? 0)) / (deviations[i] ?? 1)),
  }));
  const model = { bias: 0, weights: NAMES.map(() => 0) };
  const step = adam(NAMES.length + 1);
  for (let round = 1; round <= ROUNDS; round++) {
    const slope = [0, ...model.weights.map((weight) => SHRINK * weight)];
    for (const { x, record, weight } of standard) {
      const error = (sigmoid(logit(model, x)) - (record.right ? 1 : 0)) * (weight / total);
      for (const [i, value] of [1, ...x].entries()) slope[i] = (slope[i] ?? 0) + error * value;
    }
    const [bias = 0, ...moves] = step(slope, round);
    model.bias -= bias;
    model.weights = model.weights.map((weight, i) => bounded(NAMES[i], weight - (moves[i] ?? 0)));
  }
  const weights = model.weights.map((weight, i) => weight / (deviations[i] ?? 1));
  return {
    bias: model.bias - weights.reduce((sum, weight, i) => sum + weight * (means[i] ?? 0), 0),
    weights,
  };
}

function spreadOf(rows: readonly number[][]): { means: number[]; deviations: number[] } {
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const columns = NAMES.map((_, i) => rows.map((row) => row[i] ?? 0));
  const means = columns.map(meanOf);
  const deviations = columns.map(
    (column, i) => Math.sqrt(meanOf(column.map((value) => (value - (means[i] ?? 0)) ** 2))) || 1,
  );
  return { means, deviations };
}

function adam(size: number): (slope: readonly number[], round: number) => number[] {
  const first = Array.from({ length: size }, () => 0);
  const second = Array.from({ length: size }, () => 0);
  return (slope, round) =>
    slope.map((change, i) => {
      first[i] = 0.9 * (first[i] ?? 0) + 0.1 * change;
      second[i] = 0.999 * (second[i] ?? 0) + 0.001 * change ** 2;
      const size = Math.sqrt(second[i] / (1 - 0.999 ** round)) + 1e-9;
      return (RATE * (first[i] / (1 - 0.9 ** round))) / size;
    });
}

/** Moves the threshold to where few enough unrelated prompts pass, all memories counting the same. */
function thresholdShift(model: { bias: number; weights: number[] }): number {
  const logits = files
    .flatMap((examples) => {
      const wrong = examples.filter(({ record }) => !record.right && record.half === 0 && !record.inSession);
      return wrong.map(({ x, record }) => ({
        value: logit(model, x) - handfulCaution(record.chunks),
        part: 1 / wrong.length / files.length,
      }));
    })
    .sort((a, b) => b.value - a.value);
  let passed = 0;
  for (const { value, part } of logits) {
    passed += part;
    if (passed > UNRELATED_SHARE) return -value;
  }
  return 0;
}

function logit(model: { bias: number; weights: readonly number[] }, x: readonly number[]): number {
  return x.reduce((sum, value, i) => sum + value * (model.weights[i] ?? 0), model.bias);
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function bounded(name: string | undefined, weight: number): number {
  if (EITHER.has(name)) return weight;
  return AGAINST.has(name) ? Math.min(0, weight) : Math.max(0, weight);
}
