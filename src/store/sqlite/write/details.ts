import type { FileMention, Turn } from "../../../domain.ts";
import type { Clean } from "../../../redact/gate.ts";
import { fileName } from "../../resources.ts";
import type { Connection } from "../connection/connection.ts";
import { writeCures } from "../turns/cures.ts";

/** The stored form of a uuid in `j.value`: 16 bytes, or the text itself when it is not a uuid. */
export const UUID_KEY = "coalesce(unhex(j.value, '-'), j.value)";

/** Replaces the entries, mentions, commits and cures of a turn. */
export function writeTurnDetails(connection: Connection, turnId: number, turn: Clean<Turn>): void {
  connection.run("DELETE FROM entries WHERE turn_id = ?", turnId);
  const insert = (conflict: "REPLACE" | "IGNORE", uuids: readonly string[]) =>
    connection.run(
      `INSERT OR ${conflict} INTO entries (uuid, turn_id) SELECT ${UUID_KEY}, ? FROM json_each(?) j WHERE j.value <> ''`,
      turnId,
      JSON.stringify(uuids),
    );
  insert("REPLACE", [...new Set(turn.entryUuids)]);
  // The prompt of a copied turn stays with the turn that had it first.
  insert("IGNORE", turn.promptUuid === null ? [] : [turn.promptUuid]);
  writeTouched(connection, turnId, turn);
  writeCures(connection, turnId, turn.cures ?? []);
}

type Touched = Clean<Pick<Turn, "sessionId" | "mentions" | "commits">>;

/** Replaces what a turn touched and made. */
export function writeTouched(
  connection: Connection,
  turnId: number,
  { sessionId, mentions, commits }: Touched,
): void {
  connection.run("DELETE FROM file_mentions WHERE turn_id = ?", turnId);
  for (const mention of mentions) writeMention(connection, turnId, mention);
  connection.run("DELETE FROM commits WHERE turn_id = ?", turnId);
  for (const { hash, message } of commits)
    connection.run(
      "INSERT OR IGNORE INTO commits (turn_id, hash, message) VALUES (?, ?, ?)",
      turnId,
      hash.toLowerCase(),
      message,
    );
  connection.run("INSERT OR IGNORE INTO stale_access_patterns (session_id) VALUES (?)", sessionId);
}

export function writeMention(connection: Connection, turnId: number, mention: Clean<FileMention>): void {
  const { filePath, toolName } = mention;
  connection.run(
    `INSERT OR IGNORE INTO file_mentions (turn_id, file_path, file_name, tool_name)
     VALUES ($turnId, $filePath, $fileName, $toolName)`,
    { turnId, filePath, fileName: fileName(filePath), toolName },
  );
}

/** What others said of a session that has no turn of one's own yet. */
const OF_OTHERS = `EXISTS (SELECT 1 FROM turns t WHERE t.session_id = ?1 AND t.foreign_origin IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.session_id = ?1 AND t.foreign_origin IS NULL)`;

/**
 * Forgets what others said of sessions before one's own first turn arrives there. Whoever knows the id of a session can
 * bring rows that name it; from then on only one's own transcripts and devices say what it is.
 */
export function claimSessions(connection: Connection, sessionIds: Iterable<string>): void {
  for (const sessionId of new Set(sessionIds)) {
    const sql = `SELECT 1 FROM sessions s WHERE s.session_id = ?1 AND s.transcript_path IS NULL AND ${OF_OTHERS}`;
    if (connection.get(sql, sessionId) === null) continue;
    connection.run(
      `UPDATE sessions SET client = 'claude-code', project_dir = NULL, title = NULL, title_source = NULL,
         first_prompt = NULL, automated = 0, branch = NULL, started_at = NULL, ended_at = NULL WHERE session_id = ?`,
      sessionId,
    );
    for (const table of ["pr_links", "compactions", "subagent_sessions"])
      connection.run(`DELETE FROM ${table} WHERE session_id = ?`, sessionId);
  }
}
