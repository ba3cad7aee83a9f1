import type { Chunk } from "../domain.ts";
import type { TurnText } from "../turn/text.ts";

/** Limits of a chunk, in tokens of the model, without the special ones. */
export interface ChunkLimits {
  maxTokens: number;
  overlapTokens: number;
}

/** Cuts a turn's text into chunks; the counter is the embedder's tokenizer. */
export type ChunkText = (
  turn: TurnText,
  countTokens: (text: string) => number,
  limits: ChunkLimits,
) => Chunk[];
