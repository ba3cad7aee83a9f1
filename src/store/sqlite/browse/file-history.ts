import { CHANGING_TOOLS } from "../../../constants.ts";
import { HEAD_CHARS } from "../../../turn/first-words.ts";
import type { FileTouch } from "../../browse.ts";
import { type TouchRow, touchOf } from "../../list-rows.ts";
import type { BrowseStore } from "../../store.ts";
import type { Connection } from "../connection/connection.ts";
import type { Query } from "../connection/query.ts";
import { turnCondition } from "../filter.ts";
import { AUTHOR, DEVICE } from "../turns/author.ts";
import { PARTS } from "../turns/parts.ts";
import { FEW_MENTIONS } from "./few-mentions.ts";

/** Returns turns that touched the path, newer before older: those that changed the file first, unless `byTime`. */
export const fileHistory: Query<BrowseStore["fileHistory"]> = (
  connection,
  path,
  { limit, filter, byTime = false },
) => {
  const few = (connection.get<{ n: number }>(COUNT, path, FEW_MENTIONS + 1)?.n ?? 0) <= FEW_MENTIONS;
  const fits = turnCondition(filter);
  const newest = (turns: string, max: number) =>
    connection.column<number>(
      (few ? LOOK_UP : WALK)(turns, fits.sql("+t.id")),
      path,
      TOOLS,
      ...fits.params,
      max,
    );
  if (byTime) return touches(connection, path, newest(TOUCHED, limit));
  const changed = newest(CHANGED, limit);
  const onlyRead = changed.length < limit ? newest(ONLY_READ, limit - changed.length) : [];
  return touches(connection, path, [...changed, ...onlyRead]);
};

function touches(connection: Connection, path: string, turnIds: readonly number[]): FileTouch[] {
  return connection.all<TouchRow>(TOUCHES, JSON.stringify(turnIds), path, HEAD_CHARS).map(touchOf);
}

const TOOLS = JSON.stringify(CHANGING_TOOLS);

const COUNT = "SELECT count(*) AS n FROM (SELECT 1 FROM file_mentions WHERE file_path = ? LIMIT ?)";

// Both numbered parameters must stand in it: the others follow.
const TOUCHED = "SELECT turn_id AS id FROM file_mentions WHERE file_path = ?1 AND ?2 IS NOT NULL";
const CHANGED = `SELECT turn_id AS id FROM file_mentions
  WHERE file_path = ?1 AND tool_name IN (SELECT value FROM json_each(?2))`;
const ONLY_READ = `${TOUCHED} EXCEPT ${CHANGED}`;

// The parameters of the filter come after the numbered ones, then the limit.
const NEWEST = (fits: string) => `${fits} ORDER BY t.created_at DESC, t.id DESC LIMIT ?`;

const LOOK_UP = (turns: string, fits: string) =>
  `SELECT DISTINCT t.id FROM (${turns}) m CROSS JOIN turns t ON t.id = m.id WHERE ${NEWEST(fits)}`;

// The plus keeps SQLite from looking up each turn: the times come from their index, already in order.
const WALK = (turns: string, fits: string) =>
  `SELECT t.id FROM turns t WHERE +t.id IN (${turns}) AND ${NEWEST(fits)}`;

const TOUCHES = `SELECT t.id AS turnId, t.session_id AS sessionId, s.client, t.origin, s.title AS sessionTitle,
    CASE WHEN s.title IS NULL THEN s.first_prompt END AS firstPrompt,
    substr(t.full_text, 1, ?3) AS head, ${PARTS} AS parts, t.created_at AS createdAt, t.branch, t.agent_id AS agentId,
    t.foreign_origin AS "foreign", ${AUTHOR} AS author, ${DEVICE} AS device, (SELECT json_group_array(tool_name) FROM (SELECT m.tool_name FROM file_mentions m
      WHERE m.turn_id = t.id AND m.file_path = ?2 ORDER BY m.tool_name)) AS toolNames
  FROM json_each(?1) j CROSS JOIN turns t ON t.id = j.value JOIN sessions s ON s.session_id = t.session_id
  ORDER BY j.key`;
