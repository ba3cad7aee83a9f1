import type { Tokenizer } from "../embedder.ts";

/** A tokenizer that also says which tokens they are. */
export interface IdTokenizer extends Tokenizer {
  /** Ids with the model's special tokens around them, at most `maxTokens` in all. */
  encode(text: string, maxTokens: number): number[];
}
