/** Identifies an embedding space. Vectors of different models are never compared. */
export interface ModelInfo {
  /** Short stable name, e.g. `bge-small-en-v1.5-int8`. */
  id: string;
  dimensions: number;
  /** Longer texts are truncated to this many tokens, special tokens included. */
  maxTokens: number;
}

/** Counts the tokens of a text for the model, without special tokens. */
export interface Tokenizer {
  count(text: string): number;
}

/** Turns text into vectors, in-process and without network. */
export interface Embedder extends AsyncDisposable {
  readonly model: ModelInfo;
  readonly runtime: "native" | "wasm";
  readonly tokenizer: Tokenizer;
  /**
   * Embeds one text. Resolves to `model.dimensions` numbers with an L2 norm of 1. Equal texts give equal vectors,
   * whatever was embedded before. Accepts any string.
   */
  embed(text: string): Promise<Float32Array>;
  /**
   * Embeds many texts on all cores, or half of them if `isSparing`, and yields `{ index, vector }` as each is done, in
   * any order. The vectors equal those of `embed`. Stops when the consumer stops.
   */
  embedMany(
    texts: readonly string[],
    options?: { isSparing?: boolean },
  ): AsyncIterable<{ index: number; vector: Float32Array }>;
  close(): Promise<void>;
}

/** A tokenizer that also returns token ids. */
export interface IdTokenizer extends Tokenizer {
  /** Returns ids including the model's special tokens, at most `maxTokens` in total. */
  encode(text: string, maxTokens: number): number[];
}
