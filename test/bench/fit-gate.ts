import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { GateFeatures, GateKind } from "../../src/recall/gate.ts";
import type { GateRecord } from "./ask-hook.ts";
import { fitLogistic, type LogisticModel, logit, quantileLine, quantileOf } from "./logistic.ts";
import { share } from "./measures.ts";

/**
 * `bun test/bench/fit-gate.ts DUMP...` fits the gate's models to what `bun run bench:gate --dump FILE` wrote, with vectors
 * and with `--words-only`, on half 0 of the sessions and the prompts, and reports both halves.
 */
type Record = GateRecord & { corpus: string; size: number | "all" };

/** What a model may look at; a weight of the wrong sign is none. */
const FEATURES: { [kind in GateKind]: { [name in keyof GateFeatures]?: "for" | "against" | "either" } } = {
  vectors: {
    nearness: "for",
    cohort: "against",
    passageWords: "for",
    phrases: "for",
    surprise: "for",
    unknown: "against",
    literals: "for",
    turnKeywords: "for",
    concentration: "for",
    size: "either",
  },
  words: {
    passageWords: "for",
    phrases: "for",
    surprise: "for",
    unknown: "against",
    literals: "for",
    turnKeywords: "for",
    concentration: "for",
    size: "either",
  },
};
/** This share of the unrelated prompts of the fitted half is answered. */
const UNRELATED: { [kind in GateKind]: number } = { vectors: 0.023, words: 0.017 };
/** A cell of the table with fewer prompts of a kind than this counts less. */
const ENOUGH = 40;

const { positionals } = parseArgs({ allowPositionals: true });
const say = (line: string) => process.stdout.write(`${line}\n`);

for (const file of positionals) {
  const records = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record)
    .filter(({ group }) => group !== "trivial");
  // A prompt for which nothing was found has no kind: it counts for the kind of the others in its file.
  for (const kind of ["vectors", "words"] as const)
    if (records.some((record) => record.kind === kind))
      fitKind(
        kind,
        records.filter((record) => record.kind === kind || record.kind === null),
      );
}

function fitKind(kind: GateKind, chosen: readonly Record[]): void {
  const names = Object.keys(FEATURES[kind]) as (keyof GateFeatures)[];
  const signs = names.map((name) => FEATURES[kind][name] ?? "either");
  const fitted = chosen.filter(({ half, features }) => half === 0 && features !== null);
  const sizes = Map.groupBy(fitted, cellOf);
  const examples = fitted.map((record) => ({
    x: names.map((name) => record.features?.[name] ?? 0),
    right: record.right,
    weight: 1 / Math.max(ENOUGH, sizes.get(cellOf(record))?.length ?? 0),
  }));
  const model = fitLogistic(examples, signs);
  const of = (record: Record) =>
    record.features === null
      ? -Infinity
      : logit(
          model,
          names.map((name) => record.features?.[name] ?? 0),
        );
  const { base, slope } = thresholdOf(chosen, of, kind);
  model.bias -= base;
  model.weights = model.weights.map((weight, i) => (names[i] === "size" ? weight - slope : weight));
  say(`${kind}: ${JSON.stringify(weightsOf(model, names))}`);
  for (const half of [0, 1] as const) {
    const asked = chosen.filter((record) => record.half === half);
    for (const [cell, own] of [
      ...Map.groupBy(asked, ({ corpus, size }) => `${corpus} ${size}`),
      ["all", asked] as const,
    ]) {
      const answered = (right: boolean) =>
        share(
          own.filter((record) => record.right === right),
          (record) => of(record) >= 0,
        ).toFixed(3);
      say(`  half ${half} ${cell}: right ${answered(true)} unrelated ${answered(false)} (${own.length})`);
    }
  }
}

function cellOf({ corpus, size, right }: Record): string {
  return `${corpus} ${size} ${right}`;
}

/**
 * Returns the logit that the wanted share of the unrelated prompts of half 0 reaches. With vectors it is a line over the
 * size of the memory: the model alone would answer fewer of them in small memories than in large ones.
 */
function thresholdOf(
  chosen: readonly Record[],
  of: (record: Record) => number,
  kind: GateKind,
): { base: number; slope: number } {
  const unrelated = chosen.filter(({ half, right }) => half === 0 && !right);
  const points = unrelated.flatMap((record) =>
    record.features === null ? [] : [{ x: record.features.size, y: of(record) }],
  );
  const above = (UNRELATED[kind] * unrelated.length) / points.length;
  return kind === "vectors" ? quantileLine(points, above) : { base: quantileOf(points, above), slope: 0 };
}

function weightsOf({ bias, weights }: LogisticModel, names: readonly string[]): object {
  const rounded = (value: number) => Math.round(value * 100) / 100;
  return {
    bias: rounded(bias),
    ...Object.fromEntries(names.map((name, i) => [name, rounded(weights[i] ?? 0)])),
  };
}
