import type { Chunk } from "../../domain.ts";
import { type Clean, type CleanString, cleanPiece } from "../../redact/gate.ts";
import { pairStart } from "../../text/units.ts";

/** About what a chunk holds: 256 tokens of some four characters each, with room for texts of shorter ones. */
const CHUNK_CHARS = 800;

/** Cuts a text that changed when it was stored into chunks, at line ends and blanks, where no tokenizer is at hand. */
export function recut(text: CleanString): Clean<Chunk>[] {
  const chunks: Clean<Chunk>[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfChunk(text, start);
    chunks.push({ chunkIndex: chunks.length, content: cleanPiece(text, start, end), start, end });
    start = end;
  }
  return chunks;
}

function endOfChunk(text: string, start: number): number {
  const limit = start + CHUNK_CHARS;
  if (limit >= text.length) return text.length;
  const last = Math.max(text.lastIndexOf("\n", limit), text.lastIndexOf(" ", limit));
  if (last > start + CHUNK_CHARS / 2) return last + 1;
  return pairStart(text, limit);
}
