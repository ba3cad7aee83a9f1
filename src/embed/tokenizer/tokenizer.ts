import type { Tokenizer } from "../embedder.ts";

/** A tokenizer that also returns token ids. */
export interface IdTokenizer extends Tokenizer {
  /** Returns ids including the model's special tokens, at most `maxTokens` in total. */
  encode(text: string, maxTokens: number): number[];
}
