import { MEAN_VECTOR_CHUNKS } from "../../../constants.ts";
import { toUtc } from "../../../text/when.ts";
import type { ClientCount, MemoryQuery, RecallCounts, SessionFile, VectorOwner } from "../../browse.ts";
import type { Filter } from "../../filter.ts";
import { withoutNotes } from "../../filter-sql.ts";
import type { HookCallFacts } from "../../journal.ts";
import { type MatchingTurns, narrowSessions } from "../../list-rows.ts";
import { belowDirectory, CHANGES_SQL, isFile } from "../../resources.ts";
import type { BrowseStore, LocalBrowseStore, StatusStore } from "../../store.ts";
import type { SessionPlace } from "../../stored.ts";
import type { Bindings, Connection, Query } from "../connection/connection.ts";
import { type Condition, sessionCondition, turnCondition } from "../filter.ts";
import { asksMemory, shownByCommand, shownByTool } from "../journal.ts";
import { fromBytes } from "../vectors/math.ts";
import { activeModel } from "../vectors/models.ts";
import { mean } from "../vectors/store.ts";
import { sessions } from "./turns.ts";

type Range = Pick<Filter, "since" | "until">;
type AskedRange = Range & { sessionId?: string | undefined };

/** Returns the start times of matching turns and of their sessions, oldest first, without notes. */
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
    // A session that began before the filter's time counts from its first matching turn.
    sessions: times(
      `SELECT iif(s.started_at >= ?, s.started_at, min(t.created_at)) AS time
       FROM turns t JOIN sessions s ON s.session_id = t.session_id
       WHERE s.started_at IS NOT NULL AND ${fits.sql("t.id")}${withoutNotes("s.client", filter)} GROUP BY s.session_id
       HAVING time IS NOT NULL ORDER BY time`,
      filter.since === undefined ? "" : toUtc(filter.since),
      ...fits.params,
    ),
  };
};

/** Lists the coding agents of matching turns, most active first. */
export const clients: Query<BrowseStore["clients"]> = (connection, filter) => {
  const fits = turnCondition(filter);
  return connection.all<ClientCount>(
    `SELECT s.client, count(DISTINCT s.session_id) AS sessions, count(*) AS turns
     FROM turns t JOIN sessions s ON s.session_id = t.session_id WHERE ${fits.sql("t.id")}
     GROUP BY s.client ORDER BY turns DESC, s.client`,
    ...fits.params,
  );
};

/** Returns the decisions of hooks, the turns that they showed, and the effects. */
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
  return [since === undefined ? "" : toUtc(since), until === undefined ? "~" : toUtc(until)];
}

// A turn in progress at the time of the recall counts as later work, because its prompt may be older than the recall. `effect` is
// 2 if the session then edited a file of the shown turn, and 1 if it only read one.
const TOLD = `WITH later AS MATERIALIZED (
    SELECT id, session_id, coalesce(ended_at, created_at) AS until, tool_summary FROM turns
    WHERE session_id IN (SELECT session_id FROM injections)),
  touched AS MATERIALIZED (
    SELECT l.session_id, m.file_path, max(l.until) AS until, max(iif(m.tool_name IN ${CHANGES_SQL}, l.until, '')) AS edited
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

/** Lists the latest tool calls by which agents queried this memory, newest first. */
export const asked: Query<LocalBrowseStore["asked"]> = (connection, { limit, ...range }) =>
  connection.all<MemoryQuery>(
    `SELECT turn_id AS turnId, session_id AS sessionId, time, call ${ASKED}
     ORDER BY time DESC, turn_id DESC, place DESC LIMIT ?4`,
    ...boundsOf(range),
    limit,
  );

/** Counts the queries by agents, and the sessions with such queries. */
function countAsked(connection: Connection, range: AskedRange): RecallCounts["asked"] {
  const counted = connection.get<RecallCounts["asked"]>(
    `SELECT count(*) AS calls, count(DISTINCT session_id) AS sessions ${ASKED}`,
    ...boundsOf(range),
  );
  return counted ?? { calls: 0, sessions: 0 };
}

function boundsOf({ sessionId = "", ...range }: AskedRange): [string, string, string] {
  return [...bounds(range), sessionId];
}

const ASKED = `FROM (SELECT t.id AS turn_id, t.session_id, j.key AS place, j.value AS call,
      coalesce(t.ended_at, t.created_at, '') AS time
    FROM turns t CROSS JOIN json_each(t.tool_summary) j
    WHERE t.foreign_origin IS NULL AND t.tool_summary GLOB '*mementor*' AND ${asksMemory("j.value")})
  WHERE time BETWEEN ?1 AND ?2 AND substr(session_id, 1, length(?3)) = ?3`;

/** Returns the mean chunk vector of a turn, a session, or the turns that touched a path; null without vectors. */
export const meanVector: Query<BrowseStore["meanVector"]> = (connection, of) => {
  const rows = connection.all<{ embedding: Uint8Array }>(
    `SELECT v.embedding FROM (${turnsOf(of)}) t CROSS JOIN chunks k ON k.turn_id = t.id
       CROSS JOIN chunk_vectors v ON v.chunk_id = k.id AND v.model_id = ?2 LIMIT ?3`,
    "turnId" in of ? of.turnId : "sessionId" in of ? of.sessionId : of.path,
    activeModel(connection)?.id ?? 0,
    MEAN_VECTOR_CHUNKS,
  );
  return rows.length === 0 ? null : mean(rows.map((row) => fromBytes(row.embedding)));
};

function turnsOf(of: VectorOwner): string {
  if ("turnId" in of) return "SELECT ?1 AS id";
  if ("sessionId" in of) return "SELECT id FROM turns WHERE session_id = ?1 ORDER BY line_index DESC";
  return "SELECT DISTINCT turn_id AS id FROM file_mentions WHERE file_path = ?1 ORDER BY turn_id DESC";
}

/** Returns the matching sessions with the files, commits and pull requests of their matching turns. */
export const report: Query<BrowseStore["report"]> = (connection, filter, busiest) => {
  const found = sessions(connection, filter, { limit: -1 }).sessions;
  const own = JSON.stringify(found.map(({ sessionId, foreign }) => [sessionId, foreign === null]));
  const fits = turnCondition(filter);
  const turns = `${TURNS} AND ${fits.sql("t.id")}`;
  const touching = `${turns} CROSS JOIN file_mentions m ON m.turn_id = t.id AND ${isFile("m.file_path")}`;
  const chosen = [own, ...fits.params];
  const files = connection.all<SessionFile>(filesSql(touching), ...chosen);
  return {
    sessions: narrowSessions(found, connection.all<MatchingTurns>(countsSql(turns), ...chosen), files),
    files,
    hours: connection.all(hoursSql(touching), ...chosen, busiest),
    commits: connection.all(commitsSql(turns), ...chosen),
    prs: connection.all(PRS, JSON.stringify(found.map(({ sessionId }) => sessionId))),
  };
};

// Leaves out other people's rows that carry the id of a session of the user.
const TURNS = `json_each(?) j CROSS JOIN turns t
  ON t.session_id = j.value ->> 0 AND (t.foreign_origin IS NULL OR NOT j.value ->> 1)`;

const countsSql = (
  turns: string,
) => `SELECT t.session_id AS sessionId, count(*) AS turns, min(t.created_at) AS first,
    max(coalesce(t.ended_at, t.created_at)) AS last FROM ${turns} GROUP BY j.key`;

const filesSql = (
  touching: string,
) => `SELECT t.session_id AS sessionId, m.file_path AS path, count(*) AS touches,
    sum(m.tool_name IN ${CHANGES_SQL}) AS changes
  FROM ${touching} GROUP BY j.key, m.file_path ORDER BY j.key, touches DESC, m.file_path`;

const hoursSql = (touching: string) => `WITH hourly AS MATERIALIZED (
    SELECT m.file_path AS path, substr(t.created_at, 1, 13) AS hour, count(*) AS touches FROM ${touching}
    WHERE t.created_at IS NOT NULL GROUP BY m.file_path, hour),
  busiest AS (SELECT path, sum(touches) AS touches FROM hourly GROUP BY path ORDER BY touches DESC, path LIMIT ?)
  SELECT h.path, h.hour, h.touches FROM hourly h JOIN busiest b ON b.path = h.path ORDER BY b.touches DESC, h.path, h.hour`;

const commitsSql = (turns: string) => `SELECT t.session_id AS sessionId, k.hash, k.message
  FROM ${turns} CROSS JOIN commits k ON k.turn_id = t.id ORDER BY j.key, t.created_at, k.rowid`;

const PRS = `SELECT p.session_id AS sessionId, p.pr_number AS prNumber, p.pr_url AS prUrl, p.pr_repository AS prRepository
  FROM json_each(?1) j CROSS JOIN pr_links p ON p.session_id = j.value ORDER BY j.key, p.pr_number, p.pr_url`;

/** Counts the rows of a list without its limit. */
export const count: Query<BrowseStore["count"]> = (connection, what, { filter, below, paths } = {}) => {
  const fits = turnCondition(filter);
  switch (what) {
    case "turns": {
      const main = filter?.agent === undefined ? "t.agent_id IS NULL AND NOT t.is_sidechain" : "1";
      return number(
        connection,
        `SELECT count(*) AS n FROM turns t WHERE ${main} AND ${fits.sql("t.id")}`,
        fits,
      );
    }
    case "commits":
      return number(connection, `SELECT count(*) AS n FROM commits k WHERE ${fits.sql("k.turn_id")}`, fits);
    case "prs": {
      const ofSession = sessionCondition(filter ?? {});
      const sql = `SELECT count(DISTINCT pr_url) AS n FROM pr_links WHERE ${ofSession.sql("session_id")}`;
      return number(connection, sql, ofSession);
    }
    case "files":
      return countFiles(connection, fits, below ?? "");
    case "touches":
      return number(
        connection,
        `SELECT count(*) AS n FROM (SELECT DISTINCT file_path, turn_id FROM file_mentions
           WHERE ${fits.sql("turn_id")} AND file_path IN (SELECT value FROM json_each(?)))`,
        { params: [...fits.params, JSON.stringify(paths ?? [])] },
      );
  }
};

function countFiles(connection: Connection, fits: Condition, below: string): number {
  const directory = below.replace(/(?<!\/)\/+$/, "");
  const place = directory === "" ? null : belowDirectory("m.file_path", `${directory}/`);
  const where = `${isFile("m.file_path")}${place === null ? "" : ` AND ${place.sql}`}`;
  const params = [...fits.params, ...(place?.params ?? [])];
  return fits.empty
    ? number(connection, `SELECT count(*) AS n FROM file_totals m WHERE ${where}`, { params })
    : number(
        connection,
        `SELECT count(DISTINCT m.file_path) AS n FROM file_mentions m WHERE ${fits.sql("m.turn_id")} AND ${where}`,
        { params },
      );
}

function number(connection: Connection, sql: string, { params }: Pick<Condition, "params">): number {
  return connection.get<{ n: number }>(sql, ...params)?.n ?? 0;
}

/** Lists the branches with turns, latest first. */
export const branches: Query<BrowseStore["branches"]> = (connection) =>
  connection.column<string>(
    "SELECT branch FROM turns WHERE branch IS NOT NULL GROUP BY branch ORDER BY max(created_at) DESC",
  );

/** Lists the team members who have turns and, in a team, the user, by name. */
export const authors: Query<BrowseStore["authors"]> = (connection) =>
  connection.column<string>(
    "SELECT f.author FROM turns f WHERE f.author IS NOT NULL UNION SELECT m.author FROM team m ORDER BY 1",
  );

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
