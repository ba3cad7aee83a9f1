import type { Chunk } from "../../../domain.ts";
import { type Clean, type CleanString, cleanPiece } from "../../../redact/gate.ts";
import { pairStart } from "../../../text/units.ts";

/** Approximate length of a chunk: 256 tokens of about four characters, with room for shorter tokens. */
const CHUNK_CHARS = 800;

/**
 * Cuts a text into chunks at line ends and spaces. Used when a text changes while it is stored, where no tokenizer is
 * available.
 */
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
