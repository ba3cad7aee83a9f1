import type { Chunk, Turn } from "../../domain.ts";
import {
  type Clean,
  type CleanString,
  clean,
  cleaned,
  cleanId,
  cleanJson,
  cleanPiece,
} from "../../redact/gate.ts";
import { mapText } from "../../turn/map.ts";
import type { SourceState, WriteBatch } from "../types.ts";
import { recut } from "./recut.ts";

/** Records of the reader's state whose keys come from the transcript. */
const OPEN = ["skipped", "closed"];

/** What may be stored of a batch: the one way into the tables of turns, sessions and transcripts. */
export function cleanBatch(batch: WriteBatch): Clean<WriteBatch> {
  const { sessions, subagents, copies, prLinks, compactions, foreignOrigin } = batch;
  return {
    source: cleanSource(batch.source),
    rewritten: batch.rewritten,
    ...cleaned({ sessions, subagents, copies, prLinks, compactions }),
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

function cleanTurn({
  turn,
  chunks,
}: {
  turn: Turn;
  chunks: readonly Chunk[];
}): Clean<WriteBatch["turns"][number]> {
  const { text, parts, ...facts } = turn;
  const rest = cleaned(facts);
  const mapped = mapText({ text, parts }, clean, rest.toolSummary);
  const cleanedText = clean(mapped.text);
  return {
    turn: { ...rest, text: cleanedText, parts: mapped.parts },
    chunks: cleanChunks(text, cleanedText, chunks),
  };
}

/** The chunks of a text as it is stored: those that were made of it, or new ones where it changed. */
export function cleanChunks(text: string, stored: CleanString, chunks: readonly Chunk[]): Clean<Chunk>[] {
  if (stored !== text) return recut(stored);
  return chunks.map((chunk) => ({ ...chunk, content: cleanPiece(stored, chunk.start, chunk.end) }));
}

/** A path or an identifier as it is stored, for looking it up. */
export const storedId = cleanId;
