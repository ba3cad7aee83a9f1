import { BUILT_IN_MODEL } from "../constants.ts";

/** Identifies an embedding space. Vectors of different models are never compared. */
export interface ModelInfo {
  /** Short stable name, e.g. `bge-small-en-v1.5-int8`. */
  id: string;
  dimensions: number;
  /** Maximum tokens per text, special tokens included. Longer texts are truncated. */
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
  /** Returns the token ids of a text with the model's special tokens, at most `maxTokens` in total. */
  encode(text: string, maxTokens: number): number[];
}

/** Ways to pool token vectors into one vector: the first token's, the mean, or the last token's. */
export const POOLINGS = ["cls", "mean", "last"] as const;
export type Pooling = (typeof POOLINGS)[number];

/** Names of model outputs that hold a text vector or token vectors, in order of preference. */
export const OUTPUT_NAMES = ["sentence_embedding", "last_hidden_state", "token_embeddings"] as const;

/**
 * Returns the unit vector of a text from a model's output. Output of shape `[1, tokens, dimensions]` is pooled; output of shape
 * `[1, dimensions]` is already pooled. Throws a `TypeError` for any other shape.
 */
export function poolVectors(data: Float32Array, dims: readonly number[], pooling: Pooling): Float32Array {
  const [batch, ...rest] = dims;
  const dimensions = rest.at(-1) ?? 0;
  if (batch !== 1 || rest.length < 1 || rest.length > 2 || dimensions < 1 || data.length < dimensions)
    throw new TypeError(`the model's output has the shape [${dims.join(", ")}]`);
  const tokens = data.length / dimensions;
  if (pooling === "mean") return unit(meanOfRows(data, tokens, dimensions));
  const start = pooling === "last" ? (tokens - 1) * dimensions : 0;
  return unit(data.slice(start, start + dimensions));
}

function meanOfRows(data: Float32Array, rows: number, dimensions: number): Float32Array {
  const sums = new Float64Array(dimensions);
  for (let row = 0; row < rows; row++)
    for (let i = 0; i < dimensions; i++) sums[i] = (sums[i] ?? 0) + (data[row * dimensions + i] ?? 0);
  return Float32Array.from(sums, (sum) => sum / rows);
}

function unit(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const scale = sum > 0 ? 1 / Math.sqrt(sum) : 0;
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) * scale;
  return vector;
}

/** The built-in model: bge-small-en-v1.5 with int8 weights; see `src/assets/model/`. */
export const BGE_SMALL: ModelInfo = { ...BUILT_IN_MODEL, maxTokens: 512 };

/** Number of attention heads in the built-in model. */
export const BGE_HEADS = 12;
