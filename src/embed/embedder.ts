/** What identifies an embedding space: vectors of two models are never compared. */
export interface ModelInfo {
  /** Short stable name, e.g. `bge-small-en-v1.5-int8`. */
  id: string;
  dimensions: number;
  /** Longer texts are cut at this many tokens, the special ones included. */
  maxTokens: number;
}

/** Counts tokens as the model sees them, without the special ones. */
export interface Tokenizer {
  count(text: string): number;
}

/** Turns text into vectors, in-process and without network. */
export interface Embedder {
  readonly model: ModelInfo;
  readonly runtime: "native" | "wasm";
  readonly tokenizer: Tokenizer;
  /**
   * Embeds one text: `Float32Array` of `model.dimensions`, CLS-pooled and L2-normalised. Equal texts give
   * equal vectors whatever was embedded before. Never throws for any string.
   */
  embed(text: string): Promise<Float32Array>;
  /**
   * Embeds many texts on all cores, yielding `{ index, vector }` as they are done, in any order; the vectors
   * equal those of `embed`. Stops early when the consumer stops.
   */
  embedMany(texts: readonly string[]): AsyncIterable<{ index: number; vector: Float32Array }>;
  close(): Promise<void>;
}
