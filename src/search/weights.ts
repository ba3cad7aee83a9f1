import type { Evidence } from "./evidence.ts";

/**
 * The weights of the ranking and of the gate, in one place. Both are fitted on half 0 of the sessions (and of the
 * unrelated prompts): those of the ranking by
 * `bun test/bench/fit-ranking.ts --corpus DIR --queries FILE [...]` on three histories, those of the gate by
 * `bun test/bench/fit-gate.ts DUMP...` on what `bun run bench:gate --corpus DIR --queries FILE [...] --dump FILE` writes, once
 * with vectors and once with `--words-only`: memories of 1 session up to all sessions of a history.
 * Set by hand: `reference`, `access`, `shared` and `recency` of the ranking. Which features there are was decided after a
 * look at both halves, so the half that the benches report apart is not wholly unseen.
 */

/** What each piece of evidence is worth in the fusion. */
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
  /** Decides between equals only. */
  recency: 0.02,
};

/** The gate's logistic models: weights in logits, and the probability from which on it opens. */
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
  /** `normal` is what was measured, the others are one logit to either side. */
  thresholds: { off: 0, loose: 0.27, normal: 0.5, strict: 0.73 },
} as const;
