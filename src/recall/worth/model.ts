import type { GateKind, Strictness } from "../gate.ts";
import type { Measured, WorthFeatures } from "./features.ts";

interface WorthModel {
  bias: number;
  weights: Readonly<Partial<Record<keyof WorthFeatures, number>>>;
  limits: Readonly<Record<Strictness, number>>;
}

/**
 * In a memory of fewer chunks, what is compared with other results says little: there the gate's own probability counts
 * the more, the smaller the memory is. The models were fitted on larger ones.
 */
const FEW_CHUNKS = 250;
/** The gate is never surer than this, in logits. */
const SUREST = 9;

/**
 * A prompt in another language than a turn shares no words with it, even where the turn answers it, and the model was
 * fitted on prompts that do. That takes about so many logits from unrelated turns as well as from right ones. It counts
 * the more, the more of the prompt's words no turn has, from one share to the other.
 */
const OTHER_LANGUAGE = { logits: 0.9, unknown: [0.2, 0.4] } as const;

/** What the memory is, beside a turn. */
interface Around {
  chunks: number;
  /** True for a prompt in another language than the turn, with a model that knows the same in both as near. */
  acrossLanguages?: boolean;
}

/** Returns the probability that a turn is worth telling. */
export function worthOf(
  { features, kind, gate, unknown }: Measured,
  { chunks, acrossLanguages = false }: Around,
): number {
  const { bias, weights } = WORTH[kind];
  let logit = bias;
  for (const [name, weight] of Object.entries(weights))
    logit += weight * features[name as keyof WorthFeatures];
  const known = Math.min(1, chunks / FEW_CHUNKS);
  const mixed = known * logit + (1 - known) * logitOf(gate);
  const missing = acrossLanguages && kind === "vectors" ? missingWords(unknown) : 0;
  return 1 / (1 + Math.exp(-mixed - missing));
}

function logitOf(probability: number): number {
  return Math.max(-SUREST, Math.min(SUREST, Math.log(probability / (1 - probability))));
}

/** Returns what the words that cannot be there take, in logits. */
function missingWords(unknown: number): number {
  const {
    logits,
    unknown: [none, all],
  } = OTHER_LANGUAGE;
  return logits * Math.max(0, Math.min(1, (unknown - none) / (all - none)));
}

/**
 * The logistic models of how surely a turn is worth telling: weights in logits, and the probabilities from which on it is
 * told. Fitted on turns that readers judged for prompts of real histories: `bun test/bench/worth/fit.ts` says how. The
 * limits `loose` and `strict` lie about a logit below and above `normal`.
 */
export const WORTH: Readonly<Record<GateKind, WorthModel>> = {
  vectors: {
    bias: -14.646,
    weights: {
      nearness: 11.9,
      secondNearness: 2.09,
      passageWords: 6.09,
      recency: 0.616,
      files: 0.609,
      chore: -1.4,
      sessionTurns: -0.449,
      answerLength: 0.0915,
      sameSession: 0.899,
    },
    limits: { off: 0, loose: 0.37, normal: 0.57, strict: 0.75 },
  },
  words: {
    bias: -5.749,
    weights: {
      score: 1.87,
      recency: 0.827,
      files: 0.835,
      chore: -1.16,
      sessionTurns: -0.401,
      answerLength: 0.145,
      sameSession: 1.11,
    },
    limits: { off: 0, loose: 0.36, normal: 0.56, strict: 0.74 },
  },
};
