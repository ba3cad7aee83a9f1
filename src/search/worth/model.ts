import type { Strictness } from "../gate.ts";
import type { WorthFeatures } from "./features.ts";
import { WORTH, type WorthKind } from "./weights.ts";

/**
 * In a memory of fewer chunks, what is compared with other results says little: there the gate's own probability counts
 * the more, the smaller the memory is. The models were fitted on larger ones.
 */
const FEW_CHUNKS = 185;
/** How much surer the gate must be than where it decides alone, in logits. */
const MORE_SURE = 0.5;
/** The gate is never surer than this, in logits. */
const SUREST = 9;

/** Returns the probability that a turn with these features is worth telling. */
export function worthOf(features: WorthFeatures, kind: WorthKind): number {
  const { bias, weights } = WORTH[kind];
  let logit: number = bias;
  for (const [name, weight] of Object.entries(weights))
    logit += weight * (features[name as keyof WorthFeatures] ?? 0);
  const known = Math.min(1, Math.exp(features.g_size) / FEW_CHUNKS);
  const mixed = known * logit + (1 - known) * (logitOf(features.gate1P) - MORE_SURE);
  return probabilityOf(mixed);
}

function logitOf(probability: number): number {
  return Math.max(-SUREST, Math.min(SUREST, Math.log(probability / (1 - probability))));
}

/** For the first prompt of a session a turn may be this much less sure, in logits: the agent knows nothing yet. */
const OPENING = 0.32;

/** Returns the probability from which on a turn is told. */
export function worthLimit(
  kind: WorthKind,
  strictness: Strictness,
  { isOpening }: { isOpening: boolean },
): number {
  const limit = WORTH[kind].limits[strictness];
  return isOpening && limit > 0 ? probabilityOf(logitOf(limit) - OPENING) : limit;
}

function probabilityOf(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
