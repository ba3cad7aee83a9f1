import type { HookCallFacts } from "../../journal.ts";
import type { StatusStore } from "../../store.ts";
import type { SessionPlace } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";

export function statusStore(connection: Connection): StatusStore {
  return {
    async lastIngest() {
      return (
        connection.get<{ time: string | null }>("SELECT max(updated_at) AS time FROM sources")?.time ?? null
      );
    },
    async skippedLines() {
      const rows = connection.all<{ kind: string; lines: number }>(
        `SELECT j.key AS kind, sum(j.value) AS lines FROM sources s, json_each(s.skipped) j
         GROUP BY j.key ORDER BY 2 DESC, 1`,
      );
      return Object.fromEntries(rows.map(({ kind, lines }) => [kind, lines]));
    },
    async sessionPlaces(client) {
      return connection
        .all<Omit<SessionPlace, "directories"> & { directories: string }>(
          `SELECT s.session_id AS sessionId, s.transcript_path AS path,
             json_group_array(DISTINCT t.cwd) AS directories
           FROM sessions s JOIN turns t ON t.session_id = s.session_id
           WHERE s.client = ? AND s.transcript_path IS NOT NULL AND t.foreign_origin IS NULL AND t.cwd IS NOT NULL
           GROUP BY s.session_id ORDER BY s.session_id`,
          client,
        )
        .map((row) => ({ ...row, directories: JSON.parse(row.directories) }));
    },
    async lastHookCalls(limit) {
      return connection.all<HookCallFacts>(
        `SELECT event, decision, duration_ms AS durationMs, time, session_id AS sessionId
         FROM hook_calls ORDER BY id DESC LIMIT ?`,
        limit,
      );
    },
    async lastTold() {
      return connection.get<HookCallFacts>(
        `SELECT event, decision, duration_ms AS durationMs, time, session_id AS sessionId
         FROM hook_calls WHERE decision = 'told' ORDER BY id DESC LIMIT 1`,
      );
    },
  };
}
