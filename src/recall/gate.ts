import type { Scored } from "./fusion.ts";
import { type GateFeatures, type GateMemory, gateFeatures, type Measures } from "./gate-features.ts";
import type { QueryParts } from "./query.ts";
import { GATE } from "./weights.ts";

/**
 * What a decision is based on: vectors and words, or words alone when the best turn has no vector, or one of another
 * model.
 */
export type GateKind = "vectors" | "words";

export interface GateDecision {
  open: boolean;
  kind: GateKind;
  /** Probability that the memory answers the prompt, by the fitted model. */
  probability: number;
  threshold: number;
  features: GateFeatures;
  /** The model's bias in logits, a negative number. */
  base: number;
  /** Contribution of each feature in logits. With `base` they add up to the logit of the probability. */
  contributions: Record<keyof GateFeatures, number>;
}

/** How sure the gate must be. `off` always opens it. */
export type Strictness = keyof typeof GATE.thresholds;

/**
 * Decides whether the results for a prompt, best first, are worth showing. `measures` are those of the same query, where
 * its results are judged more than once.
 */
export function judge(
  ranked: readonly Scored[],
  query: QueryParts,
  memory: GateMemory,
  strictness: Strictness = "normal",
  measures?: Measures,
): GateDecision {
  const hasVector = memory.cohort !== null && (ranked[0]?.candidate.distance ?? null) !== null;
  const known = hasVector ? memory : { ...memory, cohort: null };
  return decide(gateFeatures(ranked, query, known, measures), hasVector ? "vectors" : "words", strictness);
}

/** Decides by the logistic model of this kind. */
export function decide(
  features: GateFeatures,
  kind: GateKind,
  strictness: Strictness = "normal",
): GateDecision {
  const threshold = GATE.thresholds[strictness];
  const { bias: base, ...weights } = GATE[kind];
  const contributions = { ...features };
  let logit: number = base;
  for (const name of Object.keys(weights) as (keyof GateFeatures)[]) {
    contributions[name] = weights[name] * features[name];
    logit += contributions[name];
  }
  const probability = 1 / (1 + Math.exp(-logit));
  return { open: probability >= threshold, kind, probability, threshold, base, features, contributions };
}
