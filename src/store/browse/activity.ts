import type { Connection } from "../connection/connection.ts";
import type { Activity, RecallCounts } from "./types.ts";

type Range = { since?: string; until?: string };

/** Returns when turns and sessions started, oldest first. */
export function activity(connection: Connection, range: Range): Activity {
  const times = (sql: string) =>
    connection.all<{ time: string }>(sql, ...bounds(range)).map((row) => row.time);
  return {
    turns: times("SELECT created_at AS time FROM turns WHERE created_at BETWEEN ? AND ? ORDER BY created_at"),
    sessions: times(
      `SELECT started_at AS time FROM sessions s WHERE started_at BETWEEN ? AND ?
         AND EXISTS (SELECT 1 FROM turns t WHERE t.session_id = s.session_id) ORDER BY started_at`,
    ),
  };
}

/** Returns what hooks decided, what they told, and how much of it was of use. */
export function recalls(connection: Connection, range: Range): RecallCounts {
  return {
    calls: connection.all(
      `SELECT event, decision, count(*) AS calls, avg(duration_ms) AS meanMs FROM hook_calls
       WHERE time BETWEEN ? AND ? GROUP BY event, decision ORDER BY calls DESC, event, decision`,
      ...bounds(range),
    ),
    told: connection.all(TOLD, ...bounds(range)),
  };
}

// ISO 8601 compares as text.
function bounds({ since = "", until = "~" }: Range): [string, string] {
  return [since, until];
}

// A turn that was going on when it was told counts as afterwards: the prompt's entry may be older than the answer to it.
const TOLD = `SELECT i.event, count(DISTINCT i.session_id || ' ' || i.time) AS injections, count(i.turn_id) AS turns,
    coalesce(sum(i.turn_id IS NOT NULL AND EXISTS (
      SELECT 1 FROM turns t CROSS JOIN file_mentions now ON now.turn_id = t.id
        CROSS JOIN file_mentions then_ ON then_.turn_id = i.turn_id AND then_.file_path = now.file_path
      WHERE t.session_id = i.session_id AND coalesce(t.ended_at, t.created_at) >= i.time)), 0) AS used
  FROM injections i WHERE i.time BETWEEN ? AND ? GROUP BY i.event ORDER BY injections DESC, i.event`;
