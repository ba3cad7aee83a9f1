import { LOST } from "../../../constants.ts";
import type { Chunk, Rewind, Turn } from "../../../domain.ts";
import type { Clean, CleanString } from "../../../redact/gate.ts";
import { firstWords } from "../../../turn/title.ts";
import { type Wording, wordingOf } from "../../../turn/wording.ts";
import type { WriteBatch, WriteResult } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import { withoutOwn } from "../export/fate.ts";
import { withoutForgotten } from "../forget/keep-out.ts";
import { hasTombstone } from "../forget/tombstone-hash.ts";
import { isForgotten } from "../forget/tombstones.ts";
import { writeWording } from "../forget/wordings.ts";
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
import { giveMarks, giveUpLines, releaseMissing } from "./release.ts";
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

/** In SQL, whether a source is a list of prompts. */
const IS_LIST = (path: string) => `substr(${path}, 1, ${LOST.source.length}) = '${LOST.source}'`;

/** Sessions that a source names or leaves out, and those with turns, but for what a list of prompts gave. */
const HELD = `
  SELECT s.session_id AS id FROM sources s WHERE NOT ${IS_LIST("s.path")} AND s.session_id IS NOT NULL
  UNION SELECT j.value ->> '$.sessionId' FROM sources s, json_each(s.sessions) j WHERE NOT ${IS_LIST("s.path")}
  UNION SELECT j.value FROM sources s, json_each(s.left_out) j
  UNION SELECT n.session_id FROM sessions n WHERE NOT EXISTS (
    SELECT 1 FROM turns t JOIN sources s ON s.id = t.source_id WHERE t.session_id = n.session_id AND ${IS_LIST("s.path")})`;

/** Returns those of these sessions that the memory holds or held, and those of which something was removed. */
export function heldSessions(connection: Connection, sessionIds: readonly string[]): Set<string> {
  if (sessionIds.length === 0) return new Set();
  const rows = connection.column<string>(
    `SELECT value AS id FROM json_each(?) WHERE value IN (${HELD})`,
    JSON.stringify(sessionIds),
  );
  const held = new Set(rows);
  for (const id of sessionIds)
    if (hasTombstone(connection, "session", id) || hasTombstone(connection, "held", id)) held.add(id);
  return held;
}

/** Whether one of these turns was forgotten, or begins like one that was. */
export function areForgotten(connection: Connection, turns: readonly Turn[]): boolean {
  return turns.some(
    (turn) => isForgotten(connection, turn) || hasTombstone(connection, "words", firstWords(turn)),
  );
}

/** Removes what a list of prompts gave of sessions whose transcripts turned up after all. */
function replaceLost(connection: Connection, { source, turns }: Clean<WriteBatch>): void {
  if (source.path.startsWith(LOST.source)) return;
  for (const sessionId of new Set(turns.map(({ turn }) => turn.sessionId))) {
    const ids = connection.all<{ id: number }>(
      `SELECT id FROM sources WHERE ${IS_LIST("path")} AND path LIKE '%:' || ?`,
      sessionId,
    );
    for (const { id } of ids) {
      connection.run("DELETE FROM turns WHERE source_id = ?", id);
      connection.run("DELETE FROM sources WHERE id = ?", id);
    }
  }
}
