import type { Strictness } from "../gate.ts";
import type { WorthFeatures } from "./features.ts";
import { WORTH, type WorthKind } from "./weights.ts";

/** Returns the probability that a turn with these features is worth telling. */
export function worthOf(features: WorthFeatures, kind: WorthKind): number {
  const { bias, weights } = WORTH[kind];
  let logit: number = bias;
  for (const [name, weight] of Object.entries(weights))
    logit += weight * (features[name as keyof WorthFeatures] ?? 0);
  return 1 / (1 + Math.exp(-logit));
}

/** Returns the probability from which on a turn is told. */
export function worthLimit(kind: WorthKind, strictness: Strictness): number {
  return WORTH[kind].limits[strictness];
}
