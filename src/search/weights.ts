import type { Evidence } from "./evidence.ts";

/**
 * The weights of the ranking and of the gate. Both are fitted on half 0 of the sessions and of the unrelated prompts.
 * `bun test/bench/fit-ranking.ts --corpus DIR --queries FILE [...]` fits the ranking on three histories. `bun
 * test/bench/fit-gate.ts DUMP...` fits the gate on what `bun run bench:gate --corpus DIR --queries FILE [...] --dump
 * FILE` writes, once with vectors and once with `--words-only`, for memories of 1 session up to all sessions of a
 * history.
 *
 * `reference`, `access`, `shared` and `recency` of the ranking are set by hand. The features were chosen after a look
 * at both halves, so the half that the benches report separately is not entirely unseen.
 */

/** The weight of each kind of evidence in the ranking. */
export const FUSION: Readonly<Record<keyof Evidence, number>> = {
  distance: 0.36,
  secondDistance: 0.47,
  chunkKeywords: 0.68,
  turnKeywords: 0.93,
  promptWords: 0.35,
  promptPhrases: 0.92,
  passageWords: 0.49,
  numbers: 1.21,
  identifiers: 0.63,
  length: -0.21,
  file: 0.27,
  reference: 1.04,
  access: 0.15,
  shared: 0.6,
  /** Only breaks ties. */
  recency: 0.02,
};

/** The logistic models of the gate: weights in logits, and the probability at which the gate opens. */
export const GATE = {
  vectors: {
    bias: -3.91,
    nearness: 26.51,
    cohort: -20.77,
    turnCoverage: 0,
    passageWords: 4.55,
    opening: 2.32,
    phrases: 5.11,
    surprise: 1.98,
    unknown: -0.75,
    literals: 2.25,
    words: -0.53,
    agreement: 0,
    named: 0.77,
    size: -0.88,
  },
  words: {
    bias: -1.91,
    nearness: 0,
    cohort: 0,
    turnCoverage: 0,
    passageWords: 6.95,
    opening: 3.98,
    phrases: 6.61,
    surprise: 2.92,
    unknown: -1.25,
    literals: 1.85,
    words: 0.42,
    agreement: 0,
    named: 0.44,
    size: -0.74,
  },
  /** `normal` was measured. The others are one logit lower or higher. */
  thresholds: { off: 0, loose: 0.27, normal: 0.5, strict: 0.73 },
} as const;
