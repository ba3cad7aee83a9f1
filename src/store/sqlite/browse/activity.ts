import { CHANGING_TOOLS } from "../../../constants.ts";
import type { Filter } from "../../../filter/filter.ts";
import { utc } from "../../../filter/time.ts";
import type { ClientCount } from "../../browse.ts";
import { withoutNotes } from "../../filter-sql.ts";
import type { BrowseStore, LocalBrowseStore } from "../../store.ts";
import type { Bindings } from "../connection/connection.ts";
import type { Query } from "../connection/query.ts";
import { turnCondition } from "../filter.ts";
import { shownByCommand, shownByTool } from "../tool-calls.ts";
import { countAsked } from "./asked.ts";

type Range = Pick<Filter, "since" | "until">;

/** Returns when the turns that fit began, and when their sessions did, oldest first. Notes are no part of the work. */
export const activity: Query<BrowseStore["activity"]> = (connection, filter) => {
  const fits = turnCondition(filter);
  const times = (sql: string, ...params: Bindings) => connection.column<string>(sql, ...params);
  return {
    turns: times(
      `SELECT t.created_at AS time FROM turns t JOIN sessions s ON s.session_id = t.session_id
       WHERE t.created_at IS NOT NULL AND ${fits.sql("t.id")}${withoutNotes("s.client", filter)}
       ORDER BY t.created_at`,
      ...fits.params,
    ),
    // A session that began before the filter's time counts from its first turn that fits.
    sessions: times(
      `SELECT iif(s.started_at >= ?, s.started_at, min(t.created_at)) AS time
       FROM turns t JOIN sessions s ON s.session_id = t.session_id
       WHERE s.started_at IS NOT NULL AND ${fits.sql("t.id")}${withoutNotes("s.client", filter)} GROUP BY s.session_id
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

/** Returns what hooks decided, which turns they told, and what came of these. */
export const recalls: Query<LocalBrowseStore["recalls"]> = (connection, range) => {
  return {
    calls: connection.all(
      `SELECT event, decision, count(*) AS calls, avg(duration_ms) AS meanMs FROM hook_calls
       WHERE time BETWEEN ? AND ? GROUP BY event, decision ORDER BY calls DESC, event, decision`,
      ...bounds(range),
    ),
    told: connection.all(TOLD, ...bounds(range)),
    marked: connection.all(MARKED, ...bounds(range)),
    asked: countAsked(connection, range),
  };
};

// ISO 8601 compares as text.
function bounds({ since, until }: Range): [string, string] {
  return [since === undefined ? "" : utc(since), until === undefined ? "~" : utc(until)];
}

const IS_CHANGE = `(${CHANGING_TOOLS.map((tool) => `'${tool}'`).join(", ")})`;

// A turn in progress at the time of the recall counts as later work: its prompt may be older than the recall. `effect`
// is 2 for a file of the told turn that was edited then, 1 for one that was only read.
const TOLD = `WITH later AS MATERIALIZED (
    SELECT id, session_id, coalesce(ended_at, created_at) AS until, tool_summary FROM turns
    WHERE session_id IN (SELECT session_id FROM injections)),
  touched AS MATERIALIZED (
    SELECT l.session_id, m.file_path, max(l.until) AS until, max(iif(m.tool_name IN ${IS_CHANGE}, l.until, '')) AS edited
    FROM later l CROSS JOIN file_mentions m ON m.turn_id = l.id GROUP BY l.session_id, m.file_path),
  showing AS MATERIALIZED (
    SELECT session_id, until, tool_summary FROM later WHERE tool_summary GLOB '*mementor*show*[0-9]*' OR tool_summary GLOB '*mementor*__show(*')
  SELECT event, count(DISTINCT session_id || ' ' || time) AS answers, count(turn_id) AS turns,
    sum(turn_id IS NOT NULL AND named) AS named, coalesce(sum(effect = 2), 0) AS edited,
    coalesce(sum(effect = 1), 0) AS "read", coalesce(sum(shown), 0) AS shown
  FROM (SELECT i.event, i.session_id, i.time, i.turn_id, count(m.file_path) > 0 AS named,
      max(iif(f.edited >= i.time, 2, f.until >= i.time)) AS effect,
      EXISTS (SELECT 1 FROM showing s WHERE s.session_id = i.session_id AND s.until >= i.time
        AND (${shownByCommand("s.tool_summary", "i.turn_id")}
          OR s.tool_summary GLOB ${shownByTool("i.turn_id")})) AS shown
    FROM injections i LEFT JOIN file_mentions m ON m.turn_id = i.turn_id
      LEFT JOIN touched f ON f.session_id = i.session_id AND f.file_path = m.file_path
    WHERE i.time BETWEEN ? AND ? GROUP BY i.id)
  GROUP BY event ORDER BY answers DESC, event`;

const MARKED = `SELECT h.event, count(DISTINCT iif(m.kind = 'good', h.id, NULL)) AS good,
    count(DISTINCT iif(m.kind = 'bad', h.id, NULL)) AS bad
  FROM answer_marks m JOIN hook_calls h ON h.id = m.call_id WHERE h.time BETWEEN ? AND ?
  GROUP BY h.event ORDER BY h.event`;
