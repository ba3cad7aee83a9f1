/** Limits for the embedding models that users add. */
export const MODEL_LIMITS = {
  /** Models with 560 million parameters have 570 MB when quantised. */
  weightsBytes: 1_500_000_000,
  /** Of every other file. */
  textBytes: 64_000_000,
  dimensions: 4_096,
  /** Chunks are shorter: at most 256 tokens of the built-in model. */
  tokens: 512,
} as const;
