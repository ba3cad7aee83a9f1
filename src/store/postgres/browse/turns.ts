import { MEAN_VECTOR_CHUNKS } from "../../../constants.ts";
import { HEAD_CHARS } from "../../../turn/title.ts";
import type { TurnSummary, VectorOwner } from "../../browse.ts";
import {
  type CommitRow,
  type PrRow,
  type TurnSummaryRow,
  toCommit,
  toPr,
  toTurnSummary,
} from "../../list-rows.ts";
import type { BrowseStore } from "../../store.ts";
import {
  ACTIVE_MODEL,
  AUTHOR_SQL,
  commitCondition,
  FOREIGN,
  isShown,
  json,
  OF_MAIN,
  type ProjectDatabase,
  type Query,
  SESSION_JOIN,
  sessionCondition,
  storedTurns,
  TURNS_BY_ID,
  turnCondition,
} from "../query.ts";
import { parseVector } from "../vectors.ts";

async function turnSummaries(
  database: ProjectDatabase,
  found: readonly { id: number }[],
): Promise<TurnSummary[]> {
  if (found.length === 0) return [];
  const ids = json(found.map(({ id }) => id));
  return (await database.all<TurnSummaryRow>(SUMMARIES, HEAD_CHARS, ids)).map(toTurnSummary);
}

const SUMMARIES = `SELECT t.turn_id AS "turnId", t.session_id AS "sessionId", s.client, s.title AS "sessionTitle",
    CASE WHEN s.title IS NULL THEN s.first_prompt END AS "firstPrompt",
    t.agent_id AS "agentId", -1 AS "lineIndex", false AS provisional, t.role, t.origin,
    left(t.full_text, ?) AS head, t.parts, t.created_at AS "createdAt", t.ended_at AS "endedAt", t.branch,
    jsonb_array_length(t.tool_summary::jsonb) AS "toolCalls",
    (SELECT coalesce(jsonb_agg(DISTINCT m.file_path), '[]')::text FROM mementor.file_mentions m
      WHERE m.project_id = :project AND m.turn_id = t.turn_id AND ${isShown("m.file_path")}) AS files,
    ${FOREIGN} AS "foreign", ${AUTHOR_SQL} AS author
  FROM ${TURNS_BY_ID} ${SESSION_JOIN} ORDER BY j.key`;

const IN_ORDER = "t.created_at IS NULL, t.created_at, t.turn_id";

/** Lists the matching turns of a session, oldest first, including those of its subagents. */
export const turnsOf: Query<BrowseStore["turnsOf"]> = async (database, sessionId, filter) => {
  const fits = turnCondition(filter);
  const ids = await database.all<{ id: number }>(
    `SELECT t.turn_id AS id FROM mementor.turns t WHERE t.project_id = :project AND t.session_id = ?
       AND ${fits.sql("t.turn_id")} ORDER BY ${IN_ORDER}`,
    sessionId,
    ...fits.params,
  );
  return turnSummaries(database, ids);
};

/**
 * Returns up to `count` turns before and after a turn in its conversation, oldest first, with at most `chars` characters of their
 * texts.
 */
export const neighbours: Query<BrowseStore["neighbours"]> = async (database, turnId, count, chars) => {
  const ids = await database.column<number>(
    `SELECT t.turn_id AS id FROM mementor.turns wanted JOIN mementor.turns t ON t.project_id = :project
       AND t.session_id = wanted.session_id AND t.author = wanted.author
       AND t.agent_id IS NOT DISTINCT FROM wanted.agent_id
     WHERE wanted.project_id = :project AND wanted.turn_id = ? ORDER BY ${IN_ORDER}`,
    turnId,
  );
  const at = ids.indexOf(turnId);
  if (at < 0) return { before: [], after: [] };
  const from = Math.max(0, at - count);
  const turns = await storedTurns(database, ids.slice(from, at + 1 + count), chars);
  return { before: turns.slice(0, at - from), after: turns.slice(at - from + 1) };
};

/** Lists the latest matching turns, newest first. Includes turns of subagents only if the filter asks for them. */
export const recent: Query<BrowseStore["recent"]> = async (database, limit, filter) => {
  const fits = turnCondition(filter);
  const main = filter.agent === undefined ? OF_MAIN : "true";
  const ids = await database.all<{ id: number }>(
    `SELECT t.turn_id AS id FROM mementor.turns t WHERE t.project_id = :project AND ${main}
       AND ${fits.sql("t.turn_id")} ORDER BY t.created_at DESC NULLS LAST, t.turn_id DESC LIMIT ?`,
    ...fits.params,
    limit,
  );
  return turnSummaries(database, ids);
};

/** Lists pull requests, latest first, with their matching sessions. */
export const prs: Query<BrowseStore["prs"]> = async (database, { limit, prNumber, filter = {} }) => {
  const fits = sessionCondition(filter);
  const rows = await database.all<PrRow>(
    `SELECT min(p.pr_number) AS "prNumber", min(p.pr_repository) AS "prRepository", p.pr_url AS "prUrl", max(p.time) AS time,
       jsonb_agg(p.session_id ORDER BY p.time DESC NULLS LAST, p.session_id)::text AS "sessionIds", (
         SELECT jsonb_build_object('turnId', t.turn_id, 'of', (SELECT count(*) ${OF_TURN}),
           'at', (SELECT count(*) ${OF_TURN} AND (x.timestamp, x.pr_number) < (o.timestamp, o.pr_number)))::text
         FROM mementor.pr_links o JOIN mementor.turns t ON t.project_id = :project AND t.session_id = o.session_id
           AND t.author = o.author AND t.agent_id IS NULL AND o.timestamp BETWEEN t.created_at AND coalesce(t.ended_at, t.created_at)
         WHERE o.project_id = :project AND o.pr_url = p.pr_url AND ${fits.sql("o.session_id")}
         ORDER BY o.timestamp, t.turn_id LIMIT 1) AS opened
     FROM (SELECT pr_url, session_id, min(pr_number) AS pr_number, min(pr_repository) AS pr_repository,
         max(timestamp) AS time FROM mementor.pr_links WHERE project_id = :project GROUP BY pr_url, session_id) p
     WHERE ${fits.sql("p.session_id")} AND (?::bigint IS NULL OR p.pr_number = ?)
     GROUP BY p.pr_url ORDER BY time DESC NULLS LAST, "prNumber" DESC LIMIT ?`,
    ...fits.params,
    ...fits.params,
    prNumber ?? null,
    prNumber ?? null,
    limit,
  );
  return rows.map(toPr);
};

/** SQL of the pull requests of the turn `t`. */
const OF_TURN = `FROM mementor.pr_links x WHERE x.project_id = :project AND x.author = t.author
  AND x.session_id = t.session_id AND x.timestamp BETWEEN t.created_at AND coalesce(t.ended_at, t.created_at)`;

/** Lists commits with their turns, latest first. */
export const commits: Query<BrowseStore["commits"]> = async (database, { limit, hash, filter }) => {
  const fits = turnCondition(filter);
  const wanted = hash === undefined ? { sql: "true", params: [] } : commitCondition(hash);
  const rows = await database.all<CommitRow>(
    `SELECT k.hash, k.message, t.turn_id AS "turnId", t.session_id AS "sessionId", s.title AS "sessionTitle",
       left(t.full_text, ?) AS head, t.parts, t.created_at AS "createdAt", t.branch, ${FOREIGN} AS "foreign",
       ${AUTHOR_SQL} AS author
     FROM mementor.commits k JOIN mementor.turns t ON t.project_id = :project AND t.turn_id = k.turn_id ${SESSION_JOIN}
     WHERE k.project_id = :project AND ${wanted.sql} AND ${fits.sql("k.turn_id")}
     ORDER BY t.created_at DESC NULLS LAST, t.turn_id DESC, k.hash LIMIT ?`,
    HEAD_CHARS,
    ...wanted.params,
    ...fits.params,
    limit,
  );
  return rows.map(toCommit);
};

/** Returns the mean chunk vector of a turn, a session, or the turns that touched a path; null without vectors. */
export const meanVector: Query<BrowseStore["meanVector"]> = async (database, of) => {
  const row = await database.get<{ mean: string | null }>(
    `SELECT avg(x.embedding::vector)::text AS mean FROM (SELECT v.embedding FROM mementor.chunk_vectors v
       WHERE v.project_id = :project AND v.model_id = ${ACTIVE_MODEL} AND v.turn_id IN (${turnIdsOf(of)})
       ORDER BY v.turn_id DESC LIMIT ?) x`,
    "turnId" in of ? of.turnId : "sessionId" in of ? of.sessionId : of.path,
    MEAN_VECTOR_CHUNKS,
  );
  return row === null || row.mean === null ? null : parseVector(row.mean);
};

function turnIdsOf(of: VectorOwner): string {
  if ("turnId" in of) return "?";
  if ("sessionId" in of)
    return "SELECT t.turn_id FROM mementor.turns t WHERE t.project_id = :project AND t.session_id = ?";
  return "SELECT m.turn_id FROM mementor.file_mentions m WHERE m.project_id = :project AND m.file_path = ?";
}
