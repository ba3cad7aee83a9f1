import { NOTE } from "../../../constants.ts";
import { cleaned } from "../../../redact/gate.ts";
import type { JournalStore } from "../../store.ts";
import type { Connection } from "../connection/connection.ts";
import { shownByCommand, shownByTool } from "../tool-calls.ts";
import { answers, countAnswers, numberedCalls, recordHookCall } from "./hook-calls.ts";

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

/** Only so many of the latest told turns are looked at, and the sessions in which they were told. */
const MAX_ROWS = 500;
const SESSIONS = 3;

/**
 * Returns the turns that a prompt hook told in each of the last three other sessions to which it told anything, without
 * any effect: the session afterwards touched none of the turn's files and did not show the turn. Turns that a person
 * marked good or pinned are left out, and so are notes, which touch no file.
 */
function toldInVain(connection: Connection, sessionId: string): Set<number> {
  const told = connection.all<{ session: string; turnId: number }>(TOLD, sessionId, MAX_ROWS);
  const sessions = [...new Set(told.map(({ session }) => session))].slice(0, SESSIONS);
  if (sessions.length < SESSIONS) return new Set();
  const turnsOf = (session: string) =>
    new Set(told.filter((row) => row.session === session).map(({ turnId }) => turnId));
  const always = sessions.map(turnsOf).reduce((common, turns) => common.intersection(turns));
  if (always.size === 0) return always;
  const [ids, last] = [JSON.stringify([...always]), JSON.stringify(sessions)];
  return new Set(connection.column<number>(WITHOUT_EFFECT, ids, last));
}

const TOLD = `SELECT session_id AS session, turn_id AS turnId FROM injections
  WHERE event = 'user-prompt-submit' AND turn_id IS NOT NULL AND session_id <> ? ORDER BY id DESC LIMIT ?`;

// Older versions stored no number of a turn that was shown through MCP. In what they stored, any use of that tool counts.
const WITHOUT_EFFECT = `SELECT j.value AS id FROM json_each(?1) j WHERE NOT EXISTS (
    SELECT 1 FROM injections i CROSS JOIN turns t ON t.session_id = i.session_id
    WHERE i.turn_id = j.value AND i.session_id IN (SELECT value FROM json_each(?2))
      AND coalesce(t.ended_at, t.created_at) >= i.time
      AND (EXISTS (SELECT 1 FROM file_mentions now CROSS JOIN file_mentions then_
          ON then_.turn_id = i.turn_id AND then_.file_path = now.file_path WHERE now.turn_id = t.id)
        OR ${shownByCommand("t.tool_summary", "j.value")}
        OR t.tool_summary GLOB ${shownByTool("j.value")}
        OR t.tool_summary GLOB '*mcp__*mementor*__show"*'))
  AND NOT EXISTS (SELECT 1 FROM answer_marks a WHERE a.turn_id = j.value AND a.kind = 'good')
  AND NOT EXISTS (SELECT 1 FROM folder_answer_marks a WHERE a.turn_id = j.value AND a.kind = 'good')
  AND NOT EXISTS (SELECT 1 FROM turn_marks m WHERE m.turn_id = j.value AND m.kind = 'pin')
  AND NOT EXISTS (SELECT 1 FROM turns n JOIN sessions s ON s.session_id = n.session_id
    WHERE n.id = j.value AND s.client = '${NOTE.client}')`;
