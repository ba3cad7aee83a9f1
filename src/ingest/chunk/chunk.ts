import type { Chunk } from "../../domain.ts";
import type { TurnText } from "../../turn/text.ts";

/** Limits of a chunk in tokens of the model, without special tokens. */
export interface ChunkLimits {
  maxTokens: number;
  overlapTokens: number;
  /** Whether the tokens of a text are those of its words between blanks, as with WordPiece. Then less has to be counted. */
  wordsAddUp?: boolean;
}

/**
 * The limits for storing turns. The built-in model takes 512 tokens, but finds shorter texts better. The overlap keeps
 * a sentence at a boundary together with what it refers to.
 */
export const CHUNK_LIMITS: ChunkLimits = { maxTokens: 256, overlapTokens: 40, wordsAddUp: true };

/** Cuts a turn's text into chunks. `countTokens` counts with the embedder's tokenizer. */
export type ChunkText = (
  turn: TurnText,
  countTokens: (text: string) => number,
  limits: ChunkLimits,
) => Chunk[];
