import type { Filter } from "../../filter/filter.ts";
import { utc } from "../../filter/time.ts";
import type { Bindings } from "../connection/connection.ts";
import type { Query } from "../connection/query.ts";
import { turnCondition } from "../filter.ts";
import type { BrowseStore } from "../store.ts";
import type { ClientCount } from "./types.ts";

type Range = Pick<Filter, "since" | "until">;

/** Returns when the turns that fit began, and when their sessions did, oldest first. */
export const activity: Query<BrowseStore["activity"]> = (connection, filter) => {
  const fits = turnCondition(filter);
  const times = (sql: string, ...params: Bindings) =>
    connection.all<{ time: string }>(sql, ...params).map((row) => row.time);
  return {
    turns: times(
      `SELECT t.created_at AS time FROM turns t WHERE t.created_at IS NOT NULL AND ${fits.sql("t.id")}
       ORDER BY t.created_at`,
      ...fits.params,
    ),
    // A session that began before the filter's time counts from its first turn that fits.
    sessions: times(
      `SELECT iif(s.started_at >= ?, s.started_at, min(t.created_at)) AS time
       FROM turns t JOIN sessions s ON s.session_id = t.session_id
       WHERE s.started_at IS NOT NULL AND ${fits.sql("t.id")} GROUP BY s.session_id
       HAVING time IS NOT NULL ORDER BY time`,
      filter.since === undefined ? "" : utc(filter.since),
      ...fits.params,
    ),
  };
};

/** Returns the coding agents of the turns that fit, the busiest first. */
export const clients: Query<BrowseStore["clients"]> = (connection, filter) => {
  const fits = turnCondition(filter);
  return connection.all<ClientCount>(
    `SELECT s.client, count(DISTINCT s.session_id) AS sessions, count(*) AS turns
     FROM turns t JOIN sessions s ON s.session_id = t.session_id WHERE ${fits.sql("t.id")}
     GROUP BY s.client ORDER BY turns DESC, s.client`,
    ...fits.params,
  );
};

/** Returns what hooks decided, which turns they recalled, and how many of these were used. */
export const recalls: Query<BrowseStore["recalls"]> = (connection, range) => {
  return {
    calls: connection.all(
      `SELECT event, decision, count(*) AS calls, avg(duration_ms) AS meanMs FROM hook_calls
       WHERE time BETWEEN ? AND ? GROUP BY event, decision ORDER BY calls DESC, event, decision`,
      ...bounds(range),
    ),
    told: connection.all(TOLD, ...bounds(range)),
  };
};

// ISO 8601 compares as text.
function bounds({ since, until }: Range): [string, string] {
  return [since === undefined ? "" : utc(since), until === undefined ? "~" : utc(until)];
}

// A turn in progress at the time of the recall counts as later work: its prompt may be older than the recall.
const TOLD = `SELECT i.event, count(DISTINCT i.session_id || ' ' || i.time) AS injections, count(i.turn_id) AS turns,
    coalesce(sum(i.turn_id IS NOT NULL AND EXISTS (
      SELECT 1 FROM turns t CROSS JOIN file_mentions now ON now.turn_id = t.id
        CROSS JOIN file_mentions then_ ON then_.turn_id = i.turn_id AND then_.file_path = now.file_path
      WHERE t.session_id = i.session_id AND coalesce(t.ended_at, t.created_at) >= i.time)), 0) AS used
  FROM injections i WHERE i.time BETWEEN ? AND ? GROUP BY i.event ORDER BY injections DESC, i.event`;
