import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type GateFeatures, memoryCaution } from "../../src/search/gate.ts";
import type { GateRecord } from "./ask.ts";
import { share } from "./measures.ts";

/** Of the unrelated prompts of the fitted half, at most this share may be answered: other memories are less clear-cut. */
const UNRELATED_SHARE = 0.02;
const ROUNDS = 4_000;
const RATE = 0.5;
const SHRINK = 1e-3;

const NAMES = Object.keys({
  standing: 0,
  nearness: 0,
  coverage: 0,
  rareWords: 0,
  rareUnits: 0,
  promptCoverage: 0,
  knownCoverage: 0,
  phrases: 0,
  turnCoverage: 0,
  unknown: 0,
  keywordStrength: 0,
  keywordLead: 0,
  words: 0,
  agreement: 0,
  named: 0,
} satisfies GateFeatures) as (keyof GateFeatures)[];

/** What speaks against an answer. */
const AGAINST = new Set<string | undefined>(["unknown", "words"]);

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
    ...Object.fromEntries(NAMES.map((name, i) => [name, round(model.weights[i] ?? 0)])),
  }),
);
for (const [i, file] of positionals.entries())
  for (const inSession of [false, true])
    for (const half of [0, 1]) {
      const chosen = (files[i] ?? []).filter(
        ({ record }) => record.half === half && record.inSession === inSession,
      );
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

function isOpen({ x, record }: Example): boolean {
  return logit({ bias, weights: model.weights }, x) - memoryCaution(record.turns) >= 0;
}

/** Prompts that no search was made for tell nothing; each class and file counts the same. */
function readExamples(file: string): Example[] {
  const records = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as GateRecord)
    .filter((record) => record.features !== null);
  const counts = Map.groupBy(records, (record) => record.right);
  return records.map((record) => ({
    record,
    x: NAMES.map((name) => record.features?.[name] ?? 0),
    weight: 1 / (counts.get(record.right)?.length ?? 1),
  }));
}

/** Logistic regression by gradient descent on scaled features; no weight may be negative, but for what speaks against. */
function fit(examples: readonly Example[]): { bias: number; weights: number[] } {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const scale = NAMES.map(
    (_, i) => Math.sqrt(examples.reduce((sum, { x }) => sum + (x[i] ?? 0) ** 2, 0) / examples.length) || 1,
  );
  const weights = NAMES.map(() => 0);
  let bias = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const slope = NAMES.map(() => 0);
    let biasSlope = 0;
    for (const { x, record, weight } of examples) {
      const scaled = x.map((value, i) => value / (scale[i] ?? 1));
      const error = (sigmoid(logit({ bias, weights }, scaled)) - (record.right ? 1 : 0)) * (weight / total);
      biasSlope += error;
      for (const i of weights.keys()) slope[i] = (slope[i] ?? 0) + error * (scaled[i] ?? 0);
    }
    bias -= RATE * biasSlope * 4;
    for (const i of weights.keys())
      weights[i] = bounded(
        NAMES[i],
        (weights[i] ?? 0) - RATE * 4 * ((slope[i] ?? 0) + SHRINK * (weights[i] ?? 0)),
      );
  }
  return { bias, weights: weights.map((weight, i) => weight / (scale[i] ?? 1)) };
}

/** Moves the threshold to where few enough unrelated prompts of each file pass. */
function thresholdShift(model: { bias: number; weights: number[] }): number {
  const shifts = files.map((examples) => {
    const logits = examples
      .filter(({ record }) => !record.right && record.half === 0)
      .map(({ x, record }) => logit(model, x) - memoryCaution(record.turns))
      .sort((a, b) => b - a);
    return -(logits[Math.floor(UNRELATED_SHARE * logits.length)] ?? 0);
  });
  return Math.min(...shifts);
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
  return AGAINST.has(name) ? Math.min(0, weight) : Math.max(0, weight);
}
