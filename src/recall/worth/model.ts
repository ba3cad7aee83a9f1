import type { Strictness } from "../gate.ts";
import type { WorthFeatures } from "./features.ts";
import { WORTH, type WorthKind } from "./weights.ts";

/**
 * In a memory of fewer chunks, what is compared with other results says little: there the gate's own probability counts
 * the more, the smaller the memory is. The models were fitted on larger ones.
 */
const FEW_CHUNKS = 185;
/** The gate is never surer than this, in logits. */
const SUREST = 9;

/**
 * A prompt in another language than a turn shares no words with it, even where the turn answers it, and the model was
 * fitted on prompts that do. That takes about so many logits from unrelated turns as well as from right ones. It counts
 * the more, the more of the prompt's words no turn has, from one share to the other.
 */
const OTHER_LANGUAGE = { logits: 0.9, unknown: [0.2, 0.4] } as const;

/**
 * Returns the probability that a turn with these features is worth telling. `acrossLanguages` is true for a prompt in
 * another language than the turn, with a model that knows the same in both as near.
 */
export function worthOf(
  features: WorthFeatures,
  kind: WorthKind,
  { acrossLanguages = false }: { acrossLanguages?: boolean } = {},
): number {
  const { bias, weights } = WORTH[kind];
  let logit: number = bias;
  for (const [name, weight] of Object.entries(weights))
    logit += weight * (features[name as keyof WorthFeatures] ?? 0);
  const known = Math.min(1, Math.exp(features.g_size) / FEW_CHUNKS);
  const mixed = known * logit + (1 - known) * logitOf(features.gate1P);
  return probabilityOf(mixed + (acrossLanguages && kind === "vectors" ? missingWords(features) : 0));
}

/** Returns what the words that cannot be there take, in logits. */
function missingWords({ g_unknown: unknown }: WorthFeatures): number {
  const {
    logits,
    unknown: [none, all],
  } = OTHER_LANGUAGE;
  return logits * Math.max(0, Math.min(1, (unknown - none) / (all - none)));
}

function logitOf(probability: number): number {
  return Math.max(-SUREST, Math.min(SUREST, Math.log(probability / (1 - probability))));
}

/** For the first prompt of a session a turn may be this much less sure, in logits: the agent knows nothing yet. */
const OPENING = 0.32;
/**
 * In a young memory a turn may be less sure, in logits: fewer turns are only alike. It may be as many logits less sure in a
 * memory of the first number of chunks, and none from the second on.
 */
const YOUNG = { logits: 0.74, chunks: [320, 600] } as const;

/** Returns the probability from which on a turn is told. */
export function worthLimit(
  kind: WorthKind,
  strictness: Strictness,
  { o_opening: opening, g_size: size }: Pick<WorthFeatures, "o_opening" | "g_size">,
): number {
  const limit = WORTH[kind].limits[strictness];
  if (limit === 0) return 0;
  const [all, none] = YOUNG.chunks;
  const young = Math.max(0, Math.min(1, (none - Math.exp(size)) / (none - all)));
  return probabilityOf(logitOf(limit) - OPENING * opening - YOUNG.logits * young);
}

function probabilityOf(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
