import { LOST } from "../../../constants.ts";
import type { Turn } from "../../../domain.ts";
import type { Clean } from "../../../redact/gate.ts";
import { firstWords } from "../../../turn/first-words.ts";
import type { WriteBatch } from "../../contract/types/stored.ts";
import type { Connection } from "../connection/connection.ts";
import { hasTombstone } from "../forget/tombstone-hash.ts";
import { isForgotten } from "../forget/tombstones.ts";

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
export function replaceLost(connection: Connection, { source, turns }: Clean<WriteBatch>): void {
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
