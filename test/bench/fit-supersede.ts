import { readFileSync } from "node:fs";
import type { SuccessionFeatures } from "../../src/search/succession/features.ts";
import { fitLogistic, logit, type Sign } from "./logistic.ts";
import type { DumpedPair } from "./supersede.ts";

/**
 * `bun test/bench/fit-supersede.ts DUMP` fits the model of succession to what `bun run bench:supersede --dump DUMP` wrote, on
 * half 0 of the topics, and reports how many pairs pass at some thresholds on both halves.
 */
const FEATURES: { [name in keyof SuccessionFeatures]: Sign } = {
  nearer: "for",
  change: "for",
  promptChange: "for",
  now: "for",
  ended: "for",
  kept: "against",
  shared: "for",
  newNames: "for",
  sameQuantity: "against",
  otherQuantity: "for",
  coverage: "for",
  file: "for",
  session: "against",
};
/** Turns of other topics are many and easy. */
const OTHER_WEIGHT = 0.3;
const PROBABILITIES = [0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9];

const names = Object.keys(FEATURES) as (keyof SuccessionFeatures)[];
const say = (line: string) => process.stdout.write(`${line}\n`);
const pairs = readFileSync(process.argv[2] ?? "", "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as DumpedPair);
const inputOf = (features: SuccessionFeatures) => names.map((name) => features[name]);
const fitted = pairs
  .filter(({ part }) => part === "half 0")
  // A pair counts once as it is and once as if it shared a file, so that files alone decide little.
  .flatMap((pair) => [pair, { ...pair, features: { ...pair.features, file: 1 } }])
  .map(({ features, isSuccessor, isOther }) => ({
    x: inputOf(features),
    right: isSuccessor,
    weight: isOther ? OTHER_WEIGHT : 1,
  }));
const model = fitLogistic(
  fitted,
  names.map((name) => FEATURES[name]),
);
say(`bias: ${model.bias.toFixed(2)},`);
for (const [i, name] of names.entries()) say(`${name}: ${(model.weights[i] ?? 0).toFixed(2)},`);
for (const part of ["half 0", "half 1"] as const) {
  const own = pairs.filter((pair) => pair.part === part);
  for (const threshold of PROBABILITIES) {
    const share = (chosen: readonly DumpedPair[]) => {
      const passed = chosen.filter(
        ({ features }) => 1 / (1 + Math.exp(-logit(model, inputOf(features)))) >= threshold,
      );
      return `${passed.length} of ${chosen.length}`;
    };
    const successors = share(own.filter(({ isSuccessor }) => isSuccessor));
    const adjacent = share(own.filter(({ isSuccessor, isOther }) => !isSuccessor && !isOther));
    const others = share(own.filter(({ isOther }) => isOther));
    say(`${part}, from ${threshold}: successors ${successors}, adjacent ${adjacent}, others ${others}`);
  }
}
