import type { Chunk } from "../../../domain.ts";
import { withoutForward } from "../../../turn/cut.ts";
import type { TurnText } from "../../../turn/text.ts";

/** Returns a turn and its chunks without the forward context. */
export function withoutNext<Turn extends TurnText>(
  turn: Turn,
  chunks: readonly Chunk[],
): { turn: Turn; chunks: Chunk[] } {
  const left = withoutForward(turn);
  return { turn: { ...turn, ...left }, chunks: chunksWithin(chunks, left.text.length) };
}

function chunksWithin(chunks: readonly Chunk[], length: number): Chunk[] {
  return chunks
    .filter((chunk) => chunk.start < length)
    .map((chunk) => {
      const end = Math.min(chunk.end, length);
      return { ...chunk, content: chunk.content.slice(0, end - chunk.start), end };
    });
}
