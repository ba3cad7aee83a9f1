import { wordForm } from "./background/word-form.ts";
import type { Scored } from "./fusion.ts";
import { judge } from "./gate.ts";
import type { GateMemory, Measures } from "./gate-features.ts";
import type { QueryParts } from "./query.ts";

/** How certain it is that a result, or the answer as a whole, is what the query asks for. */
export type Confidence = (typeof CONFIDENCES)[number];

/** From the least certain to the most certain. */
export const CONFIDENCES = ["weak", "likely", "strong"] as const;

/**
 * Thresholds for the probability of the gate's model. They are lower than for a hook, which interrupts: a person who
 * searches wants an answer.
 */
const LIKELY = 0.25;
const STRONG = 0.85;
/**
 * Rarity of a word that one in several dozen general texts contains, in nats. A turn does not contain such a word by
 * accident.
 */
const RARE = 4;

/** Returns the lower of two ratings: no result can be more certain than the answer that it is part of. */
export function leastConfident(a: Confidence, b: Confidence): Confidence {
  return CONFIDENCES.indexOf(a) < CONFIDENCES.indexOf(b) ? a : b;
}

/** Rates the results, best first, as one answer, by the gate's model. */
export function confidenceOf(
  ranked: readonly Scored[],
  query: QueryParts,
  memory: GateMemory,
  measures?: Measures,
): Confidence {
  const best = ranked[0];
  if (best === undefined) return "weak";
  const { probability } = judge(ranked, query, memory, "normal", measures);
  if (probability >= STRONG) return "strong";
  const isNamed = ranked.some(({ candidate }) => candidate.references > 0);
  return isNamed || probability >= LIKELY || ranked.some((scored) => holdsAll(scored, query))
    ? "likely"
    : "weak";
}

/**
 * Whether a turn contains every word of the query, including a rare one. The model cannot judge a query of so few
 * words.
 */
function holdsAll({ turn }: Scored, { terms }: QueryParts): boolean {
  if (!terms.some(({ rarity }) => rarity >= RARE)) return false;
  const indexed = terms.filter(({ turnIds }) => turnIds !== null);
  if (!indexed.every(({ turnIds }) => turnIds?.includes(turn.turnId))) return false;
  const others = terms.filter(({ turnIds }) => turnIds === null);
  // To fold the case of a long turn is expensive, and few turns come this far.
  const text = others.length === 0 ? "" : turn.text.toLowerCase();
  return others.every(({ term }) => text.includes(wordForm(term)));
}
