import type { GateKind, Strictness } from "../gate.ts";
import type { MeasuredTurn, WorthFeatures } from "./features.ts";

interface WorthModel {
  bias: number;
  weights: Readonly<Partial<Record<keyof WorthFeatures, number>>>;
  limits: Readonly<Record<Strictness, number>>;
}

/**
 * Number of chunks below which comparisons with other results mean little, so the gate's own probability counts more, the smaller
 * the memory is. The models were fitted on larger memories.
 */
const FEW_CHUNKS = 185;
/** Maximum certainty of the gate, in logits. */
const SUREST = 9;

/**
 * Correction for a prompt in another language than a turn. It shares no words with the turn, even if the turn answers it, unlike
 * the prompts of the training data. This lowers the score of unrelated and of right turns by about this many logits. The
 * correction grows between the two shares of the prompt's words that no turn has.
 */
const OTHER_LANGUAGE = { logits: 0.9, unknown: [0.2, 0.4] } as const;

/** Facts about the memory around a turn. */
interface Around {
  chunks: number;
  /** True for a prompt in another language than the turn, with a model that maps both languages near each other. */
  acrossLanguages?: boolean;
}

/** Returns the probability that a turn is worth showing. */
export function estimateWorth(
  { features, kind, gate, unknown }: MeasuredTurn,
  { chunks, acrossLanguages = false }: Around,
): number {
  const { bias, weights } = WORTH_MODELS[kind];
  let logit = bias;
  for (const [name, weight] of Object.entries(weights))
    logit += weight * features[name as keyof WorthFeatures];
  const known = Math.min(1, chunks / FEW_CHUNKS);
  const mixed = known * logit + (1 - known) * logitOf(gate);
  const missing = acrossLanguages && kind === "vectors" ? missingWords(unknown) : 0;
  return probabilityOf(mixed + missing);
}

function logitOf(probability: number): number {
  return Math.max(-SUREST, Math.min(SUREST, Math.log(probability / (1 - probability))));
}

/** Returns the correction for words that cannot occur in the turn, in logits. */
function missingWords(unknown: number): number {
  const {
    logits,
    unknown: [none, all],
  } = OTHER_LANGUAGE;
  return logits * Math.max(0, Math.min(1, (unknown - none) / (all - none)));
}

/** Reduction of the limit for a session's first prompt, in logits, because the agent knows nothing yet. */
const OPENING = 0.32;
/**
 * Reduction of the limit in a young memory, in logits, because fewer turns are similar by chance. Full up to the first number of
 * chunks, none from the second on.
 */
const YOUNG = { logits: 0.74, chunks: [320, 600] } as const;

/** When a prompt is asked. */
interface Occasion {
  /** True for the first of its session. */
  isOpening: boolean;
  /** Number of chunks in the memory. */
  chunks: number;
}

/** Returns the minimum probability for showing a turn. */
export function worthLimit(kind: GateKind, strictness: Strictness, occasion: Occasion): number {
  const limit = WORTH_MODELS[kind].limits[strictness];
  return limit === 0 ? 0 : probabilityOf(logitOf(limit) - worthAllowance(occasion));
}

/** Returns how much less sure a turn may be, in logits. */
export function worthAllowance({ isOpening, chunks }: Occasion): number {
  const [all, none] = YOUNG.chunks;
  const young = Math.max(0, Math.min(1, (none - chunks) / (none - all)));
  return (isOpening ? OPENING : 0) + YOUNG.logits * young;
}

function probabilityOf(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/**
 * Logistic models of a turn's worth: weights in logits, and the probabilities from which it is shown. Fitted on turns that
 * readers judged for prompts of real histories; see `bun test/bench/worth/fit.ts`. The limits `loose` and `strict` are about a
 * logit below and above `normal`.
 */
export const WORTH_MODELS: Readonly<Record<GateKind, WorthModel>> = {
  vectors: {
    bias: -12.404,
    weights: {
      nearness: 12.8,
      secondNearness: 2.09,
      passageWords: 5.94,
      files: 0.682,
      chore: -1.49,
      sessionTurns: -0.4,
      cohort: -3.12,
      sameSession: 0.906,
    },
    limits: { off: 0, loose: 0.42, normal: 0.62, strict: 0.78 },
  },
  words: {
    bias: -4.786,
    weights: {
      score: 1.75,
      recency: 0.815,
      files: 0.968,
      chore: -1.25,
      sessionTurns: -0.383,
      sameSession: 1.09,
    },
    limits: { off: 0, loose: 0.49, normal: 0.68, strict: 0.83 },
  },
};
