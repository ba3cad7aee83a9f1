import { HEAD_CHARS } from "../../../turn/first-words.ts";
import type { TurnSummary } from "../../browse.ts";
import { type TurnSummaryRow, turnSummaryOf } from "../../list-rows.ts";
import type { BrowseStore } from "../../store.ts";
import { AUTHOR, FOREIGN, OF_MAIN, SESSION, TURNS_BY_ID } from "../columns.ts";
import { turnCondition } from "../filter.ts";
import type { ProjectDatabase, Query } from "../query.ts";
import { isShown } from "../resources.ts";
import { json } from "../text.ts";
import { storedTurns } from "../turns/stored-turns.ts";

async function turnSummaries(
  database: ProjectDatabase,
  found: readonly { id: number }[],
): Promise<TurnSummary[]> {
  if (found.length === 0) return [];
  const ids = json(found.map(({ id }) => id));
  return (await database.all<TurnSummaryRow>(SUMMARIES, HEAD_CHARS, ids)).map(turnSummaryOf);
}

const SUMMARIES = `SELECT t.turn_id AS "turnId", t.session_id AS "sessionId", s.client, s.title AS "sessionTitle",
    CASE WHEN s.title IS NULL THEN s.first_prompt END AS "firstPrompt",
    t.agent_id AS "agentId", -1 AS "lineIndex", false AS provisional, t.role, t.origin,
    left(t.full_text, ?) AS head, t.parts, t.created_at AS "createdAt", t.ended_at AS "endedAt", t.branch,
    jsonb_array_length(t.tool_summary::jsonb) AS "toolCalls",
    (SELECT coalesce(jsonb_agg(DISTINCT m.file_path), '[]')::text FROM mementor.file_mentions m
      WHERE m.project_id = :project AND m.turn_id = t.turn_id AND ${isShown("m.file_path")}) AS files,
    ${FOREIGN} AS "foreign", ${AUTHOR} AS author
  FROM ${TURNS_BY_ID} ${SESSION} ORDER BY j.key`;

const IN_ORDER = "t.created_at IS NULL, t.created_at, t.turn_id";

/** Returns the turns of a session that fit, oldest first, including turns of its subagents. */
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

/** Returns up to `count` turns before and after a turn of the same conversation, oldest first, with `chars` no more of their texts. */
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

/** Returns the latest turns that fit, newest first. Includes turns of subagents only if the filter asks for them. */
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
