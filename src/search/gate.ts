import type { Scored } from "./fusion.ts";
import { type GateFeatures, type GateMemory, gateFeatures } from "./gate-features.ts";
import type { QueryParts } from "./query.ts";
import { GATE } from "./weights.ts";

/** What an answer is judged by: vectors and words, or words alone where its turn has no vector, or one of another model. */
export type GateKind = "vectors" | "words";

export interface GateDecision {
  open: boolean;
  kind: GateKind;
  /** How likely the memory holds what the prompt is about, by the fitted model. */
  probability: number;
  threshold: number;
  features: GateFeatures;
  /** What is asked of any prompt, in logits; a negative number. */
  base: number;
  /** Each feature's share in the decision, in logits; with `base` they add up to the probability's. */
  contributions: Record<keyof GateFeatures, number>;
}

/** How sure the gate must be; `off` lets everything through. */
export type Strictness = keyof typeof GATE.thresholds;

/** Decides whether what was found, best first, is worth an answer. */
export function judge(
  ranked: readonly Scored[],
  query: QueryParts,
  memory: GateMemory,
  strictness: Strictness = "normal",
): GateDecision {
  const hasVector = memory.cohort !== null && (ranked[0]?.candidate.distance ?? null) !== null;
  const known = hasVector ? memory : { ...memory, cohort: null };
  return decide(gateFeatures(ranked, query, known), hasVector ? "vectors" : "words", strictness);
}

/** Decides by the logistic model of a kind. */
export function decide(
  features: GateFeatures,
  kind: GateKind,
  strictness: Strictness = "normal",
): GateDecision {
  const threshold = GATE.thresholds[strictness];
  const { bias: base, ...weights } = GATE[kind];
  const contributions = { ...features };
  for (const name of Object.keys(weights) as (keyof GateFeatures)[])
    contributions[name] = weights[name] * features[name];
  const logit = Object.values(contributions).reduce((sum, part) => sum + part, base);
  const probability = 1 / (1 + Math.exp(-logit));
  return { open: probability >= threshold, kind, probability, threshold, base, features, contributions };
}
