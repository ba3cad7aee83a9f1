import type { StatusStore } from "../../contract/store.ts";
import type { HookCallFacts } from "../../contract/types/journal.ts";
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
