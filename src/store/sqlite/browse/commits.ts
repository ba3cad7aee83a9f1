import type { Filter } from "../../../filter/filter.ts";
import { HEAD_CHARS } from "../../../turn/first-words.ts";
import { type CommitRow, commitOf, type PrRow, prOf } from "../../list-rows.ts";
import type { BrowseStore } from "../../store.ts";
import type { Connection } from "../connection/connection.ts";
import type { Query } from "../connection/query.ts";
import { commitCondition, sessionCondition, turnCondition } from "../filter.ts";
import { AUTHOR, DEVICE } from "../turns/author.ts";
import { PARTS } from "../turns/parts.ts";

/** Returns pull requests, the latest first, with those of their sessions that fit. */
export const prs: Query<BrowseStore["prs"]> = (connection, { limit, prNumber, filter = {} }) => {
  const fits = sessionCondition(filter);
  return connection
    .all<PrRow>(
      `SELECT pr_number AS prNumber, pr_repository AS prRepository, pr_url AS prUrl, max(timestamp) AS time,
         json_group_array(session_id ORDER BY timestamp DESC) AS sessionIds, (
           SELECT json_object('turnId', t.id, 'of', (SELECT count(*) ${OF_TURN}),
             'at', (SELECT count(*) ${OF_TURN} AND (x.timestamp, x.pr_number) < (o.timestamp, o.pr_number)))
           FROM pr_links o CROSS JOIN turns t ON t.session_id = o.session_id AND t.agent_id IS NULL
             AND o.timestamp BETWEEN t.created_at AND coalesce(t.ended_at, t.created_at)
           WHERE o.pr_url = l.pr_url AND ${fits.sql("o.session_id")} ORDER BY o.timestamp, t.id LIMIT 1) AS opened
       FROM pr_links l WHERE ${fits.sql("session_id")} AND ${prNumber === undefined ? "? IS NULL" : "pr_number = ?"}
       GROUP BY pr_url ORDER BY time DESC, prNumber DESC LIMIT ?`,
      ...fits.params,
      ...fits.params,
      prNumber ?? null,
      limit,
    )
    .map(prOf);
};

/** In SQL, the pull requests of the turn `t`. */
const OF_TURN = `FROM pr_links x WHERE x.session_id = t.session_id
  AND x.timestamp BETWEEN t.created_at AND coalesce(t.ended_at, t.created_at)`;

/** Returns commits with the turns that made them, the latest first. */
export const commits: Query<BrowseStore["commits"]> = (connection, { limit, hash, filter }) => {
  const rows = hash === undefined ? latest(connection, limit, filter) : ofHash(connection, hash, filter);
  return connection.all<CommitRow>(COMMITS, HEAD_CHARS, JSON.stringify(rows), limit).map(commitOf);
};

const COMMITS = `SELECT k.hash, k.message, t.id AS turnId, t.session_id AS sessionId, s.title AS sessionTitle,
    substr(t.full_text, 1, ?1) AS head, ${PARTS} AS parts, t.created_at AS createdAt, t.branch,
    t.foreign_origin AS "foreign", ${AUTHOR} AS author, ${DEVICE} AS device
  FROM json_each(?2) j CROSS JOIN commits k ON k.rowid = j.value CROSS JOIN turns t ON t.id = k.turn_id
    JOIN sessions s ON s.session_id = t.session_id
  ORDER BY t.created_at DESC, t.id DESC, k.rowid DESC LIMIT ?3`;

// The plus makes SQLite walk the times from the newest instead of looking up each turn.
function latest(connection: Connection, limit: number, filter: Filter | undefined): number[] {
  const fits = turnCondition(filter);
  return rowsOf(
    connection.all(
      `SELECT k.rowid AS row FROM (SELECT t.id FROM turns t WHERE +t.id IN (SELECT turn_id FROM commits)
           AND ${fits.sql("+t.id")} ORDER BY t.created_at DESC, t.id DESC LIMIT ?) newest
         CROSS JOIN commits k ON k.turn_id = newest.id`,
      ...fits.params,
      limit,
    ),
  );
}

function ofHash(connection: Connection, hash: string, filter: Filter | undefined): number[] {
  const { sql, params } = commitCondition(hash);
  const fits = turnCondition(filter);
  const found = `SELECT k.rowid AS row FROM commits k WHERE ${sql} AND ${fits.sql("k.turn_id")}`;
  return rowsOf(connection.all(found, ...params, ...fits.params));
}

function rowsOf(found: readonly { row: number }[]): number[] {
  return found.map(({ row }) => row);
}
