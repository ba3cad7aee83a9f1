import type { Connection } from "../connection/connection.ts";
import type { JournalStore } from "../store.ts";
import { setBoundary } from "../write/facts.ts";

/** Hook calls are kept for `status` and `stats`; older ones go. */
const KEPT_HOOK_CALLS = 20_000;

// ISO 8601 in UTC compares as text; without a compaction everything is later than ''.
const SINCE_COMPACTION = `time > coalesce((SELECT max(coalesce(k.timestamp, k.recorded_at)) FROM compactions k
  WHERE k.session_id = i.session_id AND NOT k.provisional), '')`;

export function journalStore(connection: Connection): JournalStore {
  return {
    async injectedTurns(sessionId) {
      const rows = connection.all<{ turnId: number }>(
        `SELECT DISTINCT turn_id AS turnId FROM injections i
         WHERE session_id = ? AND turn_id IS NOT NULL AND ${SINCE_COMPACTION}`,
        sessionId,
      );
      return new Set(rows.map((row) => row.turnId));
    },
    async injectedSubjects(sessionId, event) {
      const rows = connection.all<{ subject: string }>(
        `SELECT DISTINCT subject FROM injections i
         WHERE session_id = ? AND event = ? AND subject IS NOT NULL AND ${SINCE_COMPACTION}`,
        sessionId,
        event,
      );
      return new Set(rows.map((row) => row.subject));
    },
    async recordInjection({ sessionId, event, turnIds, time, subject }) {
      connection.transaction(() => {
        const known = connection.all<{ id: number }>(
          "SELECT t.id FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value",
          JSON.stringify(turnIds),
        );
        const rows = known.length > 0 ? known.map((row) => row.id) : subject === undefined ? [] : [null];
        for (const turnId of rows) {
          connection.run(
            "INSERT INTO injections (session_id, turn_id, event, subject, time) VALUES (?, ?, ?, ?, ?)",
            sessionId,
            turnId,
            event,
            subject ?? null,
            time,
          );
        }
      });
    },
    async recordHookCall(call) {
      connection.transaction(() => {
        const { lastId } = connection.run(
          "INSERT INTO hook_calls (session_id, event, decision, duration_ms, time) VALUES (?, ?, ?, ?, ?)",
          call.sessionId,
          call.event,
          call.decision,
          call.durationMs,
          call.time,
        );
        connection.run("DELETE FROM hook_calls WHERE id <= ?", lastId - KEPT_HOOK_CALLS);
      });
    },
    async announceCompaction({ sessionId, trigger, time }) {
      connection.run(
        `INSERT INTO compactions (session_id, line_index, trigger, timestamp, provisional, recorded_at)
         SELECT ?1, coalesce(max(s.line_index + coalesce(l.line_base, 0)), 1) - 1, ?2, ?3, 1, ?3 FROM sources s
           LEFT JOIN source_lines l ON l.source_id = s.id AND l.session_id = ?1 AND l.agent_id = ''
           WHERE s.session_id = ?1 AND s.agent_id IS NULL
         ON CONFLICT (session_id, line_index) DO NOTHING`,
        sessionId,
        trigger,
        time,
      );
    },
    async confirmCompaction(sessionId) {
      connection.transaction(() => {
        connection.run("UPDATE compactions SET provisional = 0 WHERE session_id = ?", sessionId);
        setBoundary(connection, sessionId);
      });
    },
  };
}
