import type { Evidence } from "./evidence.ts";

/**
 * The weights of the ranking and of the gate, in one place. Both are fitted on half 0 of the sessions (and of the
 * unrelated prompts) of several corpora together, all corpora counting about the same: those of the ranking by
 * `bun test/bench/fit-ranking.ts --corpus DIR --queries FILE [...]` on three, those of the gate by
 * `bun test/bench/fit-gate.ts DUMP...` from what `bun run bench:recall --gate-only --dump FILE` writes for the same three,
 * for the first sessions of the larger two (`--fresh --sessions 10`, `--sessions 30`) and for the sample in `fixtures/`.
 * Set by hand: `reference`, `access`, `shared` and `recency` of the ranking, `handful` and the bounds of the size of the
 * gate. Which features there are was decided after a look at both halves, so the half that `bench:recall` reports apart
 * is not wholly unseen.
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

/** The gate's logistic model: weights in logits, and the probability from which on it opens. */
export const GATE = {
  bias: -23.73,
  nearness: 24.47,
  phrases: 3.23,
  turnCoverage: 3,
  unknown: -1.94,
  keywordStrength: 3.92,
  words: -0.38,
  agreement: 0.39,
  named: 0.92,
  /** Asked in addition of a memory of one chunk, in logits; of n chunks, an n-th of it. */
  handful: 10,
  /** Asked less, in logits, for each factor of e by which the memory is smaller than a usual one, down to a few chunks. */
  size: 1.15,
  usualChunks: 2_000,
  fewChunks: 100,
  /** Probability from which on it opens; `normal` is what was measured, the others are one logit to either side. */
  thresholds: { off: 0, loose: 0.27, normal: 0.5, strict: 0.73 },
  /** How many of the best turns are looked at. */
  turns: 5,
} as const;
