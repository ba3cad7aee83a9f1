import { LOST } from "../../../constants.ts";
import type { Chunk, Rewind, Turn } from "../../../domain.ts";
import type { Clean, CleanString } from "../../../redact/gate.ts";
import { firstWords } from "../../../turn/title.ts";
import { hashWording, type Wording } from "../../../turn/wording.ts";
import type { IngestStore } from "../../store.ts";
import type { KnownEntry, SourceState, WriteBatch, WriteResult } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import { decideImport, withoutLocalData } from "../export.ts";
import { withoutForgotten } from "../forget/clear-forward.ts";
import { sourceName } from "../forget/fields.ts";
import { hasTombstone } from "../forget/tombstone-hash.ts";
import { forgottenEntries, isForgotten } from "../forget/tombstones.ts";
import { writeWording } from "../forget/wordings.ts";
import { vectorQueue } from "../vectors/queue.ts";
import { writeChunks } from "./chunks.ts";
import {
  UUID_KEY,
  writeCompactions,
  writeCopies,
  writePrLinks,
  writeSessions,
  writeSource,
  writeSubagents,
  writeTranscripts,
  writeTurnDetails,
} from "./facts.ts";
import { cleanBatch, storedId } from "./gate.ts";
import { clearLines, moveMarks, releaseMissing } from "./release.ts";
import { type PlacedTurn, placeTurn, writeText } from "./turns.ts";

type SourceRow = {
  [Key in keyof SourceState]: Key extends "skipped" | "sessions" | "leftOut" ? string : SourceState[Key];
};

export function ingestStore(connection: Connection): IngestStore {
  return {
    ...sources(connection),
    ...vectorQueue(connection),
    async knownEntries(uuids) {
      const rows = connection.all<KnownEntry & { uuid: string }>(
        `SELECT j.value AS uuid, t.id AS turnId, t.session_id AS sessionId, t.agent_id AS agentId,
           t.prompt_uuid AS promptUuid
         FROM json_each(?) j CROSS JOIN entries e ON e.uuid = ${UUID_KEY} CROSS JOIN turns t ON t.id = e.turn_id
         WHERE t.foreign_origin IS NULL`,
        JSON.stringify(uuids),
      );
      const stored = rows.map(({ uuid, ...known }) => [uuid, known] as const);
      return new Map([...forgottenEntries(connection, uuids), ...stored]);
    },
    write: async (batch) => writeBatch(connection, batch),
    heldSessions: async (sessionIds) => heldSessions(connection, sessionIds),
    areForgotten: async (turns) => areForgotten(connection, turns),
    fates: async (turns, origin) =>
      connection.snapshot(() => turns.map((turn) => decideImport(connection, turn, origin))),
  };
}

/** Queries for the read positions of transcripts. */
function sources(connection: Connection) {
  return {
    async source(path) {
      const row = connection.get<SourceRow>(
        `SELECT path, session_id AS sessionId, agent_id AS agentId, byte_offset AS byteOffset,
           line_index AS lineIndex, resume_offset AS resumeOffset, resume_line AS resumeLine, fingerprint, size,
           mtime_ms AS mtimeMs, skipped, sessions, left_out AS leftOut, reader_state AS readerState,
           reader_version AS readerVersion FROM sources WHERE path = ?`,
        sourceName(connection, storedId(path)),
      );
      if (row === null) return null;
      const { skipped, sessions, leftOut } = row;
      return {
        ...row,
        skipped: JSON.parse(skipped),
        sessions: JSON.parse(sessions),
        leftOut: JSON.parse(leftOut),
      };
    },
    async sourcesReadBefore(version) {
      // Ordered by id: a copy that is read after its original must not replace the original.
      const sql = "SELECT path FROM sources WHERE reader_version < ? ORDER BY id";
      return connection.column<string>(sql, version);
    },
    async setReaderVersion(path, version) {
      const sql = "UPDATE sources SET reader_version = ? WHERE path = ?";
      connection.run(sql, version, sourceName(connection, path));
    },
  } satisfies Partial<IngestStore>;
}

/** Stores a batch and moves the cursor in one transaction. Storing the same batch again changes nothing. */
function writeBatch(connection: Connection, given: WriteBatch): WriteResult {
  const result: WriteResult = { turnsInserted: 0, turnsUpdated: 0, chunksWritten: 0, vectorsReused: 0 };
  connection.transaction(() => {
    const kept = withoutForgotten(connection, withoutLocalData(connection, given));
    const batch = cleanBatch(kept);
    const source = { id: writeSource(connection, batch.source), path: batch.source.path };
    if (batch.rewritten) clearLines(connection, source.id);
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
    moveMarks(connection, marks);
    moveMarks(connection, given.marks ?? [], batch.foreignOrigin);
    markTakenBack(connection, batch.rewinds ?? []);
    writeCopies(connection, source.id, batch.copies);
    writePrLinks(connection, batch.prLinks);
    writeCompactions(connection, source.id, batch.compactions);
    writeTranscripts(connection, batch);
  });
  return result;
}

/** Returns the wording of a turn before secrets were removed; null when its stored text has the same one. */
function wordingBefore(given: Turn | undefined, stored: CleanString): Wording | null {
  if (given === undefined) return null;
  return given.wording ?? (given.text === stored ? null : hashWording(given));
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
 * Marks the turns that users took back: from the turn that the record starts, or after the turn that contains it, to the rewind.
 * They stay in the memory, and hooks skip them.
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

/** Removes the mark of a turn that is read again. If it is still taken back, the same source marks it again. */
function unmarkTakenBack(connection: Connection, turnId: number): void {
  connection.run("DELETE FROM turn_marks WHERE turn_id = ? AND kind = 'undone'", turnId);
}

/** Returns the SQL condition that a source is a list of prompts. */
const IS_LIST = (path: string) => `substr(${path}, 1, ${LOST.source.length}) = '${LOST.source}'`;

/** SQL of the sessions that a source names or skips, and of those with turns, except turns from a list of prompts. */
const HELD = `
  SELECT s.session_id AS id FROM sources s WHERE NOT ${IS_LIST("s.path")} AND s.session_id IS NOT NULL
  UNION SELECT j.value ->> '$.sessionId' FROM sources s, json_each(s.sessions) j WHERE NOT ${IS_LIST("s.path")}
  UNION SELECT j.value FROM sources s, json_each(s.left_out) j
  UNION SELECT n.session_id FROM sessions n WHERE NOT EXISTS (
    SELECT 1 FROM turns t JOIN sources s ON s.id = t.source_id WHERE t.session_id = n.session_id AND ${IS_LIST("s.path")})`;

/** Returns those of these sessions that are or were in the memory, and those that lost something on purpose. */
function heldSessions(connection: Connection, sessionIds: readonly string[]): Set<string> {
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

/** Tells whether one of these turns was forgotten, or begins like one that was. */
function areForgotten(connection: Connection, turns: readonly Turn[]): boolean {
  return turns.some(
    (turn) => isForgotten(connection, turn) || hasTombstone(connection, "words", firstWords(turn)),
  );
}

/** Removes turns from a list of prompts if the transcripts of their sessions turned up after all. */
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
