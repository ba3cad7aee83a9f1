import type { Chunk, Rewind, Turn } from "../../../domain.ts";
import type { Clean, CleanString } from "../../../redact/gate.ts";
import { type Wording, wordingOf } from "../../../turn/wording.ts";
import type { WriteBatch, WriteResult } from "../../contract/types/stored.ts";
import type { Connection } from "../connection/connection.ts";
import { withoutOwn } from "../export/fate.ts";
import { withoutForgotten } from "../forget/keep-out.ts";
import { writeWording } from "../forget/wordings.ts";
import { giveMarks } from "../marks/carry.ts";
import { writeChunks } from "./chunks.ts";
import { writeTurnDetails } from "./details.ts";
import {
  writeCompactions,
  writeCopies,
  writePrLinks,
  writeSessions,
  writeSource,
  writeSubagents,
  writeTranscripts,
} from "./facts.ts";
import { cleanBatch } from "./gate.ts";
import { replaceLost } from "./lost.ts";
import { giveUpLines, releaseMissing } from "./release.ts";
import { type PlacedTurn, placeTurn, writeText } from "./turns.ts";

/** Stores a batch and moves the cursor in one transaction. Storing the same batch again changes nothing. */
export function writeBatch(connection: Connection, given: WriteBatch): WriteResult {
  const result: WriteResult = { turnsInserted: 0, turnsUpdated: 0, chunksWritten: 0, vectorsReused: 0 };
  connection.transaction(() => {
    const kept = withoutForgotten(connection, withoutOwn(connection, given));
    const batch = cleanBatch(kept);
    const source = { id: writeSource(connection, batch.source), path: batch.source.path };
    if (batch.rewritten) giveUpLines(connection, source.id);
    replaceLost(connection, batch);
    writeSessions(connection, batch);
    writeSubagents(connection, batch.subagents);

    const marks = releaseMissing(connection, source.id, batch);
    for (const [at, { turn, chunks }] of batch.turns.entries()) {
      const placed = placeTurn(connection, source, turn, batch);
      result[placed.inserted ? "turnsInserted" : "turnsUpdated"]++;
      if (!placed.inserted) unmarkTakenBack(connection, placed.id);
      if (placed.kept) continue;
      const written = writeTexts(connection, placed, turn, chunks);
      result.chunksWritten += written.chunksWritten;
      result.vectorsReused += written.vectorsReused;
      writeTurnDetails(connection, placed.id, turn);
      writeWording(connection, placed.id, wordingBefore(kept.turns[at]?.turn, turn.text));
    }
    giveMarks(connection, marks);
    giveMarks(connection, given.marks ?? [], batch.foreignOrigin);
    markTakenBack(connection, batch.rewinds ?? []);
    writeCopies(connection, source.id, batch.copies);
    writePrLinks(connection, batch.prLinks);
    writeCompactions(connection, source.id, batch.compactions);
    writeTranscripts(connection, batch);
  });
  return result;
}

/** What identifies a turn by its words before secrets were taken out; null where its stored text says it. */
function wordingBefore(given: Turn | undefined, stored: CleanString): Wording | null {
  if (given === undefined) return null;
  return given.wording ?? (given.text === stored ? null : wordingOf(given));
}

/** Stores a turn's chunks and then its text; see `writeText`. */
function writeTexts(
  connection: Connection,
  { id, textChanged }: PlacedTurn,
  { text, parts }: Clean<Turn>,
  chunks: readonly Clean<Chunk>[],
): { chunksWritten: number; vectorsReused: number } {
  const written = writeChunks(connection, { turnId: id, text, parts, chunks, textChanged });
  if (textChanged) writeText(connection, id, text);
  return written;
}

/**
 * Marks the turns that users took back: from the turn that the record starts, or after the turn that contains it, to the
 * rewind. They stay in the memory, and hooks leave them out.
 */
function markTakenBack(connection: Connection, rewinds: readonly Clean<Rewind>[]): void {
  for (const rewind of rewinds)
    connection.run(
      `INSERT OR IGNORE INTO turn_marks (turn_id, kind, time)
       SELECT t.id, 'undone', $now FROM turns f JOIN turns t ON t.source_id = f.source_id
       WHERE f.id IN (SELECT turn_id FROM entries WHERE uuid = coalesce(unhex($uuid, '-'), $uuid))
         AND t.session_id = $sessionId AND t.agent_id IS NULL AND t.line_index < $lineIndex
         AND (t.line_index > f.line_index OR t.id = f.id AND f.prompt_uuid = $uuid)`,
      { ...rewind, now: connection.now() },
    );
}

/** Removes the mark of a turn that is read again. If it is still taken back, the same source says so. */
function unmarkTakenBack(connection: Connection, turnId: number): void {
  connection.run("DELETE FROM turn_marks WHERE turn_id = ? AND kind = 'undone'", turnId);
}
