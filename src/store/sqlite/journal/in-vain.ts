import { NOTE } from "../../../constants.ts";
import type { Connection } from "../connection/connection.ts";
import { shownByCommand, shownByTool } from "../tool-calls.ts";

/** Only so many of the latest told turns are looked at, and the sessions in which they were told. */
const MAX_ROWS = 500;
const SESSIONS = 3;

/**
 * Returns the turns that a prompt hook told in each of the last three other sessions to which it told anything, without
 * any effect: the session afterwards touched none of the turn's files and did not show the turn. Turns that a person
 * marked good or pinned are left out, and so are notes, which touch no file.
 */
export function toldInVain(connection: Connection, sessionId: string): Set<number> {
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
