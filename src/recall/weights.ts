import type { Evidence } from "./evidence.ts";

/**
 * The weights of the ranking and of the gate. Both are fitted on half 0 of the sessions and of the unrelated prompts. `bun
 * test/bench/fit-ranking.ts --corpus DIR --queries FILE [...]` fits the ranking on three histories. `bun test/bench/fit-gate.ts
 * DUMP...` fits the gate on what `bun run bench:gate --corpus DIR --queries FILE [...] --dump FILE` writes, once with vectors and
 * once with `--words-only`, for memories of 1 session up to all sessions of a history. With vectors, the bias and the weight of
 * the size are then adjusted so that memories of every size answer about the same share of unrelated prompts.
 *
 * `reference` and `recency` of the ranking are set by hand. `access` and `shared` gain most on both histories of
 * `bench:foresight`; `promptPhrases`, `passageWords` and `length` were then moved to where no bench loses. The features
 * were chosen after a look at both halves, so the half that the benches report separately is not entirely unseen.
 */

/** The weight of each kind of evidence in the ranking. */
export const FUSION_WEIGHTS: Readonly<Record<keyof Evidence, number>> = {
  distance: 0.36,
  secondDistance: 0.47,
  chunkKeywords: 0.68,
  turnKeywords: 0.93,
  promptWords: 0.35,
  promptPhrases: 0.75,
  passageWords: 0.35,
  numbers: 1.21,
  identifiers: 0.63,
  length: -0.18,
  file: 0.27,
  reference: 1.04,
  access: 0.3,
  shared: 0.8,
  /** Only breaks ties. */
  recency: 0.02,
};

/** The logistic models of the gate: weights in logits, and the probability at which the gate opens. */
export const GATE_MODELS = {
  vectors: {
    bias: -4.64,
    nearness: 16.76,
    cohort: -10.37,
    passageWords: 3.57,
    phrases: 4.9,
    surprise: 2.14,
    unknown: -2.82,
    literals: 1.12,
    turnKeywords: 1.51,
    concentration: 1.44,
    size: -0.85,
  },
  words: {
    bias: -2.65,
    nearness: 0,
    cohort: 0,
    passageWords: 5.7,
    phrases: 6.45,
    surprise: 2.9,
    unknown: -2.46,
    literals: 1.41,
    turnKeywords: 1.44,
    concentration: 1.33,
    size: -0.54,
  },
  /** `normal` was measured. The others are one logit lower or higher. */
  thresholds: { off: 0, loose: 0.27, normal: 0.5, strict: 0.73 },
} as const;
