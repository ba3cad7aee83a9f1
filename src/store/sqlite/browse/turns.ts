import { HEAD_CHARS } from "../../../turn/title.ts";
import type { TranscriptLines, TurnSummary } from "../../browse.ts";
import type { Filter } from "../../filter.ts";
import { withoutNotes } from "../../filter-sql.ts";
import {
  ambiguousIdError,
  CANDIDATES_SHOWN,
  type CommitRow,
  OPENING_TURNS,
  type PrRow,
  type SessionRow,
  type TurnSummaryRow,
  toCommit,
  toPr,
  toSession,
  toTurnSummary,
} from "../../list-rows.ts";
import { isFile, isShown } from "../../resources.ts";
import type { BrowseStore, LocalBrowseStore } from "../../store.ts";
import type { Connection, Query } from "../connection/connection.ts";
import { commitCondition, sessionCondition, turnCondition } from "../filter.ts";
import { AUTHOR, DEVICE, PARTS, PROMPT_ONLY, SESSION_PROMPT_ONLY, storedTurns } from "../turns/columns.ts";

/** Returns list rows of turns in the given order. Leaves out unknown ids. */
export function turnSummaries(connection: Connection, turnIds: readonly number[]): TurnSummary[] {
  return connection.all<TurnSummaryRow>(SUMMARIES, JSON.stringify(turnIds), HEAD_CHARS).map(toTurnSummary);
}

const SUMMARIES = `SELECT t.id AS turnId, t.session_id AS sessionId, s.client, s.title AS sessionTitle,
    CASE WHEN s.title IS NULL THEN s.first_prompt END AS firstPrompt, t.agent_id AS agentId,
    coalesce(t.line_index, -1) AS lineIndex, t.provisional, t.role, t.origin, substr(t.full_text, 1, ?2) AS head, ${PARTS} AS parts,
    t.created_at AS createdAt, t.ended_at AS endedAt, t.branch, json_array_length(t.tool_summary) AS toolCalls,
    (SELECT json_group_array(file_path) FROM (SELECT DISTINCT m.file_path FROM file_mentions m
      WHERE m.turn_id = t.id AND ${isShown("m.file_path")} ORDER BY m.file_path)) AS files, t.foreign_origin AS "foreign", ${AUTHOR} AS author,
    ${DEVICE} AS device,
    ${PROMPT_ONLY} AS promptOnly
  FROM json_each(?1) j CROSS JOIN turns t ON t.id = j.value JOIN sessions s ON s.session_id = t.session_id
  ORDER BY j.key`;

const IN_ORDER = "t.created_at IS NULL, t.created_at, t.line_index, t.id";

/** Lists the matching turns of a session, oldest first, including those of its subagents and those copied into it. */
export const turnsOf: Query<BrowseStore["turnsOf"]> = (connection, sessionId, filter) => {
  const fits = turnCondition(filter);
  const ids = connection.column<number>(
    `SELECT t.id FROM turns t WHERE (t.session_id = ?
       OR t.id IN (SELECT y.turn_id FROM turn_copies y WHERE y.session_id = ?)) AND ${fits.sql("t.id")}
     ORDER BY ${IN_ORDER}`,
    sessionId,
    sessionId,
    ...fits.params,
  );
  return turnSummaries(connection, ids);
};

/**
 * Returns up to `count` turns before and after a turn in its conversation, oldest first, with at most `chars` characters of their
 * texts.
 */
export const neighbours: Query<BrowseStore["neighbours"]> = (connection, turnId, count, chars) => {
  const ids = connection.column<number>(
    `SELECT t.id FROM turns wanted CROSS JOIN turns t ON t.session_id = wanted.session_id
       WHERE wanted.id = ? AND t.agent_id IS wanted.agent_id AND ${AUTHOR} IS wanted.author ORDER BY ${IN_ORDER}`,
    turnId,
  );
  const at = ids.indexOf(turnId);
  if (at < 0) return { before: [], after: [] };
  return {
    before: storedTurns(connection, ids.slice(Math.max(0, at - count), at), chars),
    after: storedTurns(connection, ids.slice(at + 1, at + 1 + count), chars),
  };
};

/** Lists the latest matching turns, newest first. Includes turns of subagents only if the filter asks for them. */
export const recent: Query<BrowseStore["recent"]> = (connection, limit, filter) => {
  const fits = turnCondition(filter);
  const main = filter.agent === undefined ? "t.agent_id IS NULL AND NOT t.is_sidechain" : "1";
  // The plus makes SQLite walk the times from the newest.
  const ids = connection.column<number>(
    `SELECT t.id FROM turns t WHERE ${main} AND ${fits.sql("+t.id")}
     ORDER BY t.created_at DESC, t.id DESC LIMIT ?`,
    ...fits.params,
    limit,
  );
  return turnSummaries(connection, ids);
};

/** Returns the lines of a turn in its transcript; null for a turn without a transcript. */
export const transcriptPlace: Query<LocalBrowseStore["transcriptPlace"]> = (connection, turnId) => {
  return connection.get<TranscriptLines>(
    `SELECT s.path, t.line_index AS firstLine, t.prompt_uuid AS promptUuid,
       (SELECT min(n.line_index) FROM turns n WHERE n.source_id = t.source_id AND n.line_index > t.line_index) AS endLine
     FROM turns t JOIN sources s ON s.id = t.source_id WHERE t.id = ?`,
    turnId,
  );
};

/** Lists pull requests, latest first, with their matching sessions. */
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
    .map(toPr);
};

/** SQL of the pull requests of the turn `t`. */
const OF_TURN = `FROM pr_links x WHERE x.session_id = t.session_id
  AND x.timestamp BETWEEN t.created_at AND coalesce(t.ended_at, t.created_at)`;

/** Lists commits with their turns, latest first. */
export const commits: Query<BrowseStore["commits"]> = (connection, { limit, hash, filter }) => {
  const rows = hash === undefined ? latest(connection, limit, filter) : ofHash(connection, hash, filter);
  return connection.all<CommitRow>(COMMITS, HEAD_CHARS, JSON.stringify(rows), limit).map(toCommit);
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

/** Lists a page of the matching sessions, latest first, with the total number of matches. */
export const sessions: Query<BrowseStore["sessions"]> = (connection, filter, { limit, offset = 0 }) => {
  const fits = sessionCondition(filter);
  const { params } = fits;
  const sql = `EXISTS (SELECT 1 FROM turns t WHERE t.session_id = s.session_id) AND ${fits.sql("s.session_id")}${withoutNotes("s.client", filter)}`;
  const ids = connection.column<string>(
    `SELECT s.session_id AS id FROM sessions s WHERE ${sql} ORDER BY s.ended_at DESC, s.rowid DESC LIMIT ? OFFSET ?`,
    ...params,
    limit,
    offset,
  );
  const total =
    connection.get<{ n: number }>(`SELECT count(*) AS n FROM sessions s WHERE ${sql}`, ...params)?.n ?? 0;
  return {
    sessions: summaries(connection, ids),
    total,
  };
};

/** Returns these sessions in the given order, without unknown ids. */
export const summaries: Query<BrowseStore["summaries"]> = (connection, sessionIds) => {
  return connection.all<SessionRow>(SESSION_SUMMARIES, JSON.stringify(sessionIds)).map(toSession);
};

/**
 * Condition that a session belongs to others. One turn of the user makes it the user's, whatever rows others brought with its id.
 * Any member may bring some, so all are named.
 */
const OF_OTHERS = "CASE WHEN count(*) = count(t.foreign_origin)";
const SESSION_SUMMARIES = `SELECT s.session_id AS sessionId, s.client, s.title, s.first_prompt AS firstPrompt, s.automated, s.branch,
    s.project_dir AS projectDir, s.transcript_path AS transcriptPath, s.started_at AS startedAt,
    s.ended_at AS endedAt, (SELECT count(*) FROM turns t WHERE t.session_id = s.session_id) AS turns,
    (SELECT count(DISTINCT m.file_path) FROM turns t CROSS JOIN file_mentions m ON m.turn_id = t.id
      WHERE t.session_id = s.session_id AND ${isFile("m.file_path")}) AS files,
    (SELECT ${OF_OTHERS} THEN max(t.foreign_origin) END FROM turns t WHERE t.session_id = s.session_id) AS "foreign",
    (SELECT ${OF_OTHERS} THEN (SELECT group_concat(author, ', ') FROM (SELECT DISTINCT ${AUTHOR} AS author FROM turns t
        WHERE t.session_id = s.session_id ORDER BY 1)) END FROM turns t WHERE t.session_id = s.session_id) AS author,
    (SELECT CASE WHEN count(*) = count(f.turn_id) THEN max(w.name) END FROM turns t LEFT JOIN folder_turns f ON f.turn_id = t.id
       LEFT JOIN folder_names w ON w.writer = f.home WHERE t.session_id = s.session_id) AS device,
    ${SESSION_PROMPT_ONLY} AS promptOnly,
    CASE WHEN s.title IS NULL AND coalesce(s.first_prompt, '') = '' THEN (SELECT json_group_array(json_array(o.head, o.parts))
      FROM (SELECT substr(t.full_text, 1, ${HEAD_CHARS}) AS head, ${PARTS} AS parts FROM turns t
        WHERE t.session_id = s.session_id AND t.agent_id IS NULL ORDER BY t.line_index, t.id LIMIT ${OPENING_TURNS}) o) END AS opening
  FROM json_each(?) j CROSS JOIN sessions s ON s.session_id = j.value ORDER BY j.key`;

/** Returns the session with this id, or the only one whose id starts with it. Rejects with `usage` when several do. */
export const findSession: Query<BrowseStore["session"]> = (connection, idOrPrefix) => {
  const ids = connection.column<string>(
    `SELECT session_id AS id FROM sessions WHERE session_id = ?1 OR (?1 <> '' AND session_id >= ?1
         AND session_id < ?1 || char(0x10ffff)) ORDER BY session_id <> ?1, ended_at DESC LIMIT ?2`,
    idOrPrefix,
    CANDIDATES_SHOWN + 1,
  );
  if (ids.length > 1 && ids[0] !== idOrPrefix) throw ambiguousIdError(idOrPrefix, summaries(connection, ids));
  return summaries(connection, ids)[0] ?? null;
};
