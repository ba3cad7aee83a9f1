import { cleaned } from "../../../redact/gate.ts";
import type { JournalStore } from "../../contract/store.ts";
import type { Connection } from "../connection/connection.ts";
import { answers, countAnswers, numberedCalls, recordHookCall } from "./hook-calls.ts";
import { toldInVain } from "./in-vain.ts";

// ISO 8601 in UTC compares as text; without a compaction everything is later than ''.
const SINCE_COMPACTION = `time > coalesce((SELECT max(coalesce(k.timestamp, k.recorded_at)) FROM compactions k
  WHERE k.session_id = i.session_id AND NOT k.provisional), '')`;

/** At the last line that was read of the session's transcript. */
const ANNOUNCE = `INSERT OR IGNORE INTO compactions
    (session_id, source_id, line_index, trigger, timestamp, provisional, recorded_at)
  SELECT $sessionId, s.id, max(coalesce(s.line_index, 1) - 1, 0), $trigger, $time, 1, $time
  FROM (SELECT 1) LEFT JOIN sources s ON s.session_id = $sessionId AND s.agent_id IS NULL
  ORDER BY s.updated_at DESC, s.id DESC LIMIT 1`;

export function journalStore(connection: Connection): JournalStore {
  return {
    async turnsToldIn(sessionId) {
      const rows = connection.column<number>(
        `SELECT DISTINCT turn_id AS turnId FROM injections i
         WHERE session_id = ? AND turn_id IS NOT NULL AND ${SINCE_COMPACTION}`,
        sessionId,
      );
      return new Set(rows);
    },
    async subjectsToldIn(sessionId, event) {
      const rows = connection.column<string>(
        `SELECT DISTINCT subject FROM injections i
         WHERE session_id = ? AND event = ? AND subject IS NOT NULL AND ${SINCE_COMPACTION}`,
        sessionId,
        event,
      );
      return new Set(rows);
    },
    toldInVain: async (sessionId) => toldInVain(connection, sessionId),
    recordTold: async (told) => recordTold(connection, told),
    recordHookCall: async (given) => recordHookCall(connection, given),
    answers: async (query) => answers(connection, query),
    numberedCalls: async (since) => numberedCalls(connection, since),
    countAnswers: async (query) => countAnswers(connection, query),
    async announceCompaction(compaction) {
      const { sessionId, trigger, time } = cleaned(compaction);
      connection.run(ANNOUNCE, { sessionId, trigger, time });
    },
    async confirmCompaction(sessionId) {
      connection.run("UPDATE compactions SET provisional = 0 WHERE session_id = ?", sessionId);
    },
  };
}

function isMentioned(connection: Connection, path: string): boolean {
  return connection.get("SELECT 1 FROM file_totals WHERE file_path = ?", path) !== null;
}

function recordTold(connection: Connection, told: Parameters<JournalStore["recordTold"]>[0]): void {
  // A path that a turn mentions is clean already, and to look it up costs a hook less than the rules.
  const isStored = told.subject !== undefined && isMentioned(connection, told.subject);
  const { subject, ...rest } = told;
  const { sessionId, event, turnIds, time } = cleaned(rest);
  const about = subject === undefined || isStored ? subject : cleaned({ subject }).subject;
  connection.transaction(() => {
    const known = connection.column<number>(
      "SELECT t.id FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value",
      JSON.stringify(turnIds),
    );
    const rows = known.length > 0 ? known : about === undefined ? [] : [null];
    for (const turnId of rows) {
      connection.run(
        `INSERT INTO injections (session_id, turn_id, event, subject, time)
         VALUES ($sessionId, $turnId, $event, $subject, $time)`,
        { sessionId, turnId, event, subject: about ?? null, time },
      );
    }
  });
}
