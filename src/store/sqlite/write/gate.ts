import type { Chunk } from "../../../domain.ts";
import {
  type Clean,
  type CleanString,
  clean,
  cleaned,
  cleanId,
  cleanJson,
  cleanPiece,
} from "../../../redact/gate.ts";
import { pairStart } from "../../../text/cut.ts";
import { mapText } from "../../../turn/grammar.ts";
import type { SourceState, WriteBatch } from "../../stored.ts";

/** Parts of the reader's state whose keys come from the transcript. */
const OPEN = ["skipped", "closed"];

type BatchTurn = WriteBatch["turns"][number];

/** Cleans a batch so that it may be stored. All data in the tables of turns, sessions and transcripts passes through here. */
export function cleanBatch(batch: WriteBatch): Clean<WriteBatch> {
  const { sessions, subagents, copies, prLinks, compactions, rewinds = [], foreignOrigin } = batch;
  return {
    source: cleanSource(batch.source),
    rewritten: batch.rewritten,
    ...cleaned({ sessions, subagents, copies, prLinks, compactions, rewinds }),
    turns: batch.turns.map(cleanTurn),
    ...(foreignOrigin !== undefined && { foreignOrigin: clean(foreignOrigin) }),
  };
}

function cleanSource({ readerState, skipped, ...source }: SourceState): Clean<SourceState> {
  return {
    ...cleaned(source),
    skipped: cleaned({ skipped }, OPEN).skipped,
    readerState: readerState === null ? null : cleanJson(readerState, OPEN),
  };
}

function cleanTurn({ turn, chunks }: BatchTurn): Clean<BatchTurn> {
  // The wording is stored as keyed hashes; see `writeWording`.
  const { text, parts, wording: _, ...facts } = turn;
  const rest = cleaned(facts);
  const mapped = mapText({ text, parts }, clean, rest.toolSummary);
  return {
    turn: { ...rest, ...mapped },
    chunks: cleanChunks(text, mapped.text, chunks),
  };
}

/** Returns the chunks of a stored text: the given ones, or new ones when cleaning changed the text. */
export function cleanChunks(text: string, stored: CleanString, chunks: readonly Chunk[]): Clean<Chunk>[] {
  if (stored !== text) return recutChunks(stored);
  return chunks.map((chunk) => ({ ...chunk, content: cleanPiece(stored, chunk.start, chunk.end) }));
}

/** Returns the stored form of a path or identifier, for lookups. */
export const storedId = cleanId;

/** Approximate length of a chunk: 256 tokens of about four characters, with room for shorter tokens. */
const CHUNK_CHARS = 800;

/**
 * Splits a text into chunks at line ends and spaces. For text that changes while it is stored, where no tokenizer is available.
 */
export function recutChunks(text: CleanString): Clean<Chunk>[] {
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
