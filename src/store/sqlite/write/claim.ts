import type { Connection } from "../connection/connection.ts";

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
