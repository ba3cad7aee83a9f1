import type { Database } from "bun:sqlite";
import { LOST } from "../../../constants.ts";
import type { Failure } from "../../../domain.ts";
import { parseText } from "../../../turn/grammar.ts";
import type { TurnText } from "../../../turn/text.ts";
import type { StoredChunk, StoredTurn } from "../../stored.ts";
import {
  CHUNK_CHARS,
  decodeFailures,
  encodeFailures,
  encodeParts,
  type TurnRow,
  turnOfRow,
} from "../../turn-rows.ts";
import type { Connection } from "../connection/connection.ts";

/** The parts of the turn `t`, as `decodeParts` takes them. */
export const PARTS = "(SELECT p.parts FROM turn_parts p WHERE p.turn_id = t.id)";

/** Turns whose texts are in memory at a time. */
const PAGE = 200;

/**
 * Stores where the parts of a turn's text are and what is known of its failures, in place of what was stored before.
 */
export function writeParts(
  connection: Connection,
  turnId: number,
  { parts, failures }: Pick<TurnText, "parts"> & { failures?: readonly Failure[] },
): void {
  connection.run(
    `INSERT INTO turn_parts (turn_id, parts, failures) VALUES (?, ?, ?)
     ON CONFLICT (turn_id) DO UPDATE SET parts = excluded.parts, failures = excluded.failures`,
    turnId,
    encodeParts(parts),
    failures === undefined || failures.length === 0 ? null : encodeFailures(failures),
  );
}

/** Returns what is known of a turn's failures. */
export function failuresOf(connection: Connection, turnId: number): Failure[] {
  const sql = "SELECT failures FROM turn_parts WHERE turn_id = ?";
  return decodeFailures(connection.get<{ failures: string | null }>(sql, turnId)?.failures ?? null);
}

/** Parses the texts of all turns whose parts are not stored: those of an older or damaged database. */
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

// A row of a damaged database must not keep the others from being read.
function toolsOf(json: string): string[] {
  try {
    return JSON.parse(json);
  } catch {
    return [];
  }
}

/** A turn's text as it is stored. */
export interface TextRow {
  id: number;
  text: string;
  /** As `decodeParts` takes them. */
  parts: string | null;
}

/** The columns of a `TextRow` of the turn `t`. */
export const TEXT = `t.id, t.full_text AS text, ${PARTS} AS parts`;

/** Reads turns `t` that fit a condition, in order of id: a memory may hold more text than fits into the process. */
export function* eachTurn<Row extends { id: number } = TextRow>(
  connection: Connection,
  {
    columns = TEXT,
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

/** Who made the turn `t`; null for one's own. The column lies behind long texts: it is read only where it may be set. */
export const AUTHOR = "CASE WHEN t.foreign_origin IS NOT NULL THEN t.author END";

/** The device of the user where the turn `t` was said, if a folder brought it from there. */
export const DEVICE = `(SELECT w.name FROM folder_turns f JOIN folder_names w ON w.writer = f.home WHERE f.turn_id = t.id)`;

/** Condition on the turn `t`: made by the user of this memory. */
export const IS_OWN = "t.id NOT IN (SELECT f.id FROM turns f WHERE f.author IS NOT NULL)";

/** In SQL, whether only the prompt is left of the turn `t`. */
export const PROMPT_ONLY = `EXISTS (SELECT 1 FROM turn_marks lost WHERE lost.turn_id = t.id AND lost.kind = '${LOST.mark}')`;

/** The same of a session `s`: whether a turn of it is such a one. A transcript that turns up replaces all of them. */
export const SESSION_PROMPT_ONLY = `EXISTS (SELECT 1 FROM turns t WHERE t.session_id = s.session_id AND ${PROMPT_ONLY})`;

/** Returns the turns in the order asked for, with `chars` no more of their texts; ids that do not exist are left out. */
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

/** Returns chunks, turn by turn in their order there; ids that do not exist are left out. */
export function storedChunks(connection: Connection, chunkIds: readonly number[]): StoredChunk[] {
  return connection.all<StoredChunk>(
    `SELECT c.id AS chunkId, c.turn_id AS turnId, c.chunk_index AS chunkIndex, substr(c.content, 1, ${CHUNK_CHARS}) AS content, c.start, c."end"
     FROM json_each(?) j CROSS JOIN chunks c ON c.id = j.value ORDER BY c.turn_id, c.chunk_index`,
    JSON.stringify(chunkIds),
  );
}
