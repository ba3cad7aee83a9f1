import type { Database } from "bun:sqlite";
import { LOST } from "../../../constants.ts";
import { parseText } from "../../../turn/grammar.ts";
import type { TurnText } from "../../../turn/text.ts";
import type { StoredChunk, StoredTurn } from "../../stored.ts";
import { CHUNK_CHARS, encodeParts, type TurnRow, turnOfRow } from "../../turn-rows.ts";
import type { Connection } from "../connection/connection.ts";

/** SQL of the parts of the turn `t`, for `decodeParts`. */
export const PARTS = "(SELECT p.parts FROM turn_parts p WHERE p.turn_id = t.id)";

/** Turns to load per page. */
const PAGE = 200;

/** Replaces the stored parts of a turn. */
export function writeParts(connection: Connection, turnId: number, { parts }: Pick<TurnText, "parts">): void {
  connection.run(
    `INSERT INTO turn_parts (turn_id, parts) VALUES (?, ?)
     ON CONFLICT (turn_id) DO UPDATE SET parts = excluded.parts`,
    turnId,
    encodeParts(parts),
  );
}

/** Parses and stores missing parts of turns, in an older or damaged database. */
export function fillParts(db: Database): void {
  const select = db.query<{ id: number; text: string; tools: string }, [number, number]>(
    `SELECT t.id, t.full_text AS text, t.tool_summary AS tools FROM turns t
     WHERE t.id > ? AND NOT EXISTS (SELECT 1 FROM turn_parts p WHERE p.turn_id = t.id) ORDER BY t.id LIMIT ?`,
  );
  const insert = db.query("INSERT INTO turn_parts (turn_id, parts) VALUES (?, ?)");
  for (let after = 0; ; ) {
    const rows = select.all(after, PAGE);
    for (const { id, text, tools } of rows)
      insert.run(id, encodeParts(parseText(text, toolsOf(tools)).parts));
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

// One damaged row must not keep the others from being read.
function toolsOf(json: string): string[] {
  try {
    return JSON.parse(json);
  } catch {
    return [];
  }
}

/** The stored text of a turn. */
export interface TextRow {
  id: number;
  text: string;
  /** In the format of `decodeParts`. */
  parts: string | null;
}

/** SQL of the columns of a `TextRow` for the turn `t`. */
export const TEXT_SQL = `t.id, t.full_text AS text, ${PARTS} AS parts`;

/** Reads the turns `t` that match a condition page by page, in order of id, because a memory may not fit into the process. */
export function* eachTurn<Row extends { id: number } = TextRow>(
  connection: Connection,
  {
    columns = TEXT_SQL,
    where = "true",
    params = [],
  }: { columns?: string; where?: string; params?: string[] } = {},
): Iterable<Row> {
  const sql = `SELECT ${columns} FROM turns t WHERE t.id > ? AND ${where} ORDER BY t.id LIMIT ?`;
  for (let after = -1; ; ) {
    const rows = connection.all<Row>(sql, after, ...params, PAGE);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/**
 * SQL of the author of the turn `t`; null for the user. The column lies behind long texts, so it is read only if it may be set.
 */
export const AUTHOR = "CASE WHEN t.foreign_origin IS NOT NULL THEN t.author END";

/** SQL of the user's device where the turn `t` was made, if a folder brought it. */
export const DEVICE = `(SELECT w.name FROM folder_turns f JOIN folder_names w ON w.writer = f.home WHERE f.turn_id = t.id)`;

/** SQL condition that the user of this memory made the turn `t`. */
export const IS_OWN = "t.id NOT IN (SELECT f.id FROM turns f WHERE f.author IS NOT NULL)";

/** SQL condition that only the prompt of the turn `t` is left. */
export const PROMPT_ONLY = `EXISTS (SELECT 1 FROM turn_marks lost WHERE lost.turn_id = t.id AND lost.kind = '${LOST.mark}')`;

/**
 * SQL condition that only prompts of the session `s` are left. A transcript that turns up replaces all of them, so one such turn
 * decides.
 */
export const SESSION_PROMPT_ONLY = `EXISTS (SELECT 1 FROM turns t WHERE t.session_id = s.session_id AND ${PROMPT_ONLY})`;

/** Returns turns in the given order, with at most `chars` characters of their texts. Leaves out unknown ids. */
export function storedTurns(
  connection: Connection,
  turnIds: readonly number[],
  chars: number | null = null,
): StoredTurn[] {
  const rows = connection.all<TurnRow>(
    `SELECT t.id AS turnId, t.session_id AS sessionId, s.client, t.agent_id AS agentId, coalesce(t.line_index, -1) AS lineIndex,
         t.provisional, t.role, t.origin, ${chars === null ? "t.full_text" : "substr(t.full_text, 1, ?2)"} AS text, ${PARTS} AS parts, t.tool_summary AS toolSummary,
         t.is_sidechain AS isSidechain, t.created_at AS createdAt, t.ended_at AS endedAt, t.branch, t.cwd,
         t.model, t.client_version AS clientVersion, s.title AS sessionTitle, t.foreign_origin AS "foreign", ${AUTHOR} AS author,
         ${DEVICE} AS device,
         ${PROMPT_ONLY} AS promptOnly
       FROM json_each(?1) j CROSS JOIN turns t ON t.id = j.value JOIN sessions s ON s.session_id = t.session_id`,
    JSON.stringify(turnIds),
    ...(chars === null ? [] : [chars]),
  );
  // Sorting them in SQLite would copy all texts.
  const found = new Map(rows.map((row) => [row.turnId, row]));
  return turnIds.flatMap((id) => {
    const row = found.get(id);
    return row === undefined ? [] : [turnOfRow(row)];
  });
}

/** Returns chunks in the order of turn and position. Leaves out unknown ids. */
export function storedChunks(connection: Connection, chunkIds: readonly number[]): StoredChunk[] {
  return connection.all<StoredChunk>(
    `SELECT c.id AS chunkId, c.turn_id AS turnId, c.chunk_index AS chunkIndex, substr(c.content, 1, ${CHUNK_CHARS}) AS content, c.start, c."end"
     FROM json_each(?) j CROSS JOIN chunks c ON c.id = j.value ORDER BY c.turn_id, c.chunk_index`,
    JSON.stringify(chunkIds),
  );
}
