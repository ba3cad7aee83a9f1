import { fitRidge, scaleOf, unscaled } from "../ridge.ts";
import { listOf, namesOf, type SentenceRow } from "./rows.ts";

/** A weight of a standardised feature is held small by its square divided by twice this. */
const STRENGTH = 0.03;
/** What the sentences of a turn count together: those that a reader would have told, and the others. */
const TOGETHER = { said: 1, other: 3 } as const;
/** A smaller weight is left out, in logits. */
const MIN_WEIGHT = 0.02;

/** Returns the weights of what makes a sentence the one to tell, in logits. There is no bias: sentences are only compared. */
export function fitSentences(rows: readonly SentenceRow[]): [name: string, weight: number][] {
  const names = namesOf(rows.flatMap(({ f }) => f.map((f) => ({ f }))));
  const examples = rows.flatMap(({ f, said }) => {
    const count = said.filter(Boolean).length;
    return f.map((features, i) => ({
      x: listOf(features, names),
      right: said[i] === true,
      weight: said[i] ? TOGETHER.said / count : TOGETHER.other / (said.length - count),
    }));
  });
  const scale = scaleOf(examples.map(({ x }) => x));
  const { weights } = unscaled(fitRidge(examples, STRENGTH, scale), scale);
  return names
    .map((name, i): [string, number] => [name, weights[i] ?? 0])
    .filter(([, weight]) => Math.abs(weight) >= MIN_WEIGHT);
}
