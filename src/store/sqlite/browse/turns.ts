import { HEAD_CHARS } from "../../../turn/first-words.ts";
import type { TranscriptPlace, TurnSummary } from "../../browse.ts";
import { type TurnSummaryRow, turnSummaryOf } from "../../list-rows.ts";
import { isShown } from "../../resources.ts";
import type { BrowseStore, LocalBrowseStore } from "../../store.ts";
import type { Connection } from "../connection/connection.ts";
import type { Query } from "../connection/query.ts";
import { turnCondition } from "../filter.ts";
import { AUTHOR, DEVICE } from "../turns/author.ts";
import { PARTS } from "../turns/parts.ts";
import { PROMPT_ONLY } from "../turns/prompt-only.ts";
import { storedTurns } from "../turns/stored-turns.ts";

/** Returns the turns in the order asked for; ids that do not exist are left out. */
export function turnSummaries(connection: Connection, turnIds: readonly number[]): TurnSummary[] {
  return connection.all<TurnSummaryRow>(SUMMARIES, JSON.stringify(turnIds), HEAD_CHARS).map(turnSummaryOf);
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

/** Returns the turns of a session that fit, oldest first, including turns of its subagents and turns copied into it. */
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

/** Returns up to `count` turns before and after a turn of the same conversation, oldest first, with `chars` no more of their texts. */
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

/** Returns the latest turns that fit, newest first. Includes turns of subagents only if the filter asks for them. */
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

/** Returns where the turn's lines are in its transcript; null for a turn without a transcript. */
export const transcriptPlace: Query<LocalBrowseStore["transcriptPlace"]> = (connection, turnId) => {
  return connection.get<TranscriptPlace>(
    `SELECT s.path, t.line_index AS firstLine, t.prompt_uuid AS promptUuid,
       (SELECT min(n.line_index) FROM turns n WHERE n.source_id = t.source_id AND n.line_index > t.line_index) AS endLine
     FROM turns t JOIN sources s ON s.id = t.source_id WHERE t.id = ?`,
    turnId,
  );
};
