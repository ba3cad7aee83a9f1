import { NOTE } from "../../../constants.ts";
import { withoutForward } from "../../../turn/parts.ts";
import type { TurnText } from "../../../turn/text.ts";
import { authorOrOwn } from "../../filter.ts";
import type { ForgetPlan, ForgetPreview, PruneRequest } from "../../forget.ts";
import type { ForgetStore } from "../../store.ts";
import { decodeParts } from "../../turn-rows.ts";
import { turnSummaries } from "../browse/turns.ts";
import type { Connection } from "../connection/connection.ts";
import { type Condition, MATCH_ALL, turnCondition } from "../filter.ts";
import { eachTurn } from "../turns/columns.ts";
import { usedBytes } from "./compact.ts";
import { importSources, NO_PLAN, planForget } from "./plan.ts";
import { removeTurns } from "./remove.ts";
import { sessionLoss } from "./session-parts.ts";

export function forgetStore(connection: Connection): ForgetStore {
  return {
    plan: async (selection) => connection.snapshot(() => planForget(connection, selection)),
    planPrune: async (request) => connection.snapshot(() => planPrune(connection, request)),
    origins: async () => importSources(connection),
    preview: async (plan, isPrune = false) =>
      connection.snapshot(() => previewForget(connection, plan, isPrune)),
    forget: async (plan) => removeTurns(connection, plan, plan.undoesImport ? "withdraw" : "forget"),
    prune: async (plan) => removeTurns(connection, plan, "prune"),
  };
}

/** Overhead of a turn and a chunk in bytes: keys, indexes, vector, bits and keywords. Only the ratio to the texts matters. */
const TURN_BYTES = 1_000;
const CHUNK_BYTES = 2_500;
/** Copies of each text: in its turn, in its chunks, and as keywords. */
const TEXT_COPIES = 3;

/** Plans to remove the oldest turns until the limits hold. Keeps pinned turns and turns without a time. */
function planPrune(connection: Connection, { before, maxBytes, keepFrom, author }: PruneRequest): ForgetPlan {
  const whose = turnCondition(authorOrOwn(author));
  const rows = connection.all<{ id: number; time: string; weight: number }>(
    `SELECT t.id, t.created_at AS time, ${TURN_BYTES} + ${TEXT_COPIES} * octet_length(t.full_text)
       + ${CHUNK_BYTES} * (SELECT count(*) FROM chunks k WHERE k.turn_id = t.id) AS weight
     FROM turns t WHERE t.created_at IS NOT NULL AND t.created_at < ? 
       AND NOT EXISTS (SELECT 1 FROM turn_marks m WHERE m.turn_id = t.id AND m.kind = 'pin')
       AND ${whose.sql("t.id")}
     ORDER BY t.created_at, t.id`,
    keepFrom,
    ...whose.params,
  );
  const empty = emptyBytes(connection);
  const bytesPerWeight =
    Math.max(1, usedBytes(connection) - empty) / Math.max(1, weightOf(connection, MATCH_ALL));
  let over = maxBytes === null ? 0 : weightOf(connection, whose) - (maxBytes - empty) / bytesPerWeight;
  const turnIds: number[] = [];
  for (const { id, time, weight } of rows) {
    if (over <= 0 && (before === null || time >= before)) break;
    turnIds.push(id);
    over -= weight;
  }
  return { ...NO_PLAN, turnIds };
}

/** Returns the size of the empty tables: one page for each table and index. */
function emptyBytes(connection: Connection): number {
  const row = connection.get<{ bytes: number }>(
    "SELECT count(*) * (SELECT page_size FROM pragma_page_size) AS bytes FROM sqlite_master WHERE rootpage > 0",
  );
  return row?.bytes ?? 0;
}

function weightOf(connection: Connection, whose: Condition): number {
  const row = connection.get<{ weight: number | null }>(
    `SELECT sum(${TURN_BYTES} + ${TEXT_COPIES} * octet_length(t.full_text))
       + ${CHUNK_BYTES} * (SELECT count(*) FROM chunks k WHERE ${whose.sql("k.turn_id")}) AS weight
     FROM turns t WHERE ${whose.sql("t.id")}`,
    ...whose.params,
    ...whose.params,
  );
  return row?.weight ?? 0;
}

/** Number of turns in a preview. */
const SHOWN = 8;

/** Describes the effects of a plan. */
function previewForget(connection: Connection, plan: ForgetPlan, isPrune: boolean): ForgetPreview {
  const gone = JSON.stringify(plan.turnIds);
  const span = connection.get<{ from: string | null; to: string | null }>(
    `SELECT min(t.created_at) AS "from", max(t.created_at) AS "to"
     FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value`,
    gone,
  );
  const { sessions, wholeSessions, titles, notes } = losses(connection, plan, isPrune);
  return {
    turns: plan.turnIds.length - notes,
    notes,
    summaries: plan.summaries,
    subagentTurns: plan.subagentTurns,
    naming: plan.naming,
    copies: plan.copies,
    undoesImport: plan.undoesImport,
    ...pinnedAmong(connection, gone),
    quoting: isPrune ? [] : quotingTurns(connection, plan),
    cutTurns: plan.cutTurnIds.length,
    sessions,
    wholeSessions,
    from: span?.from ?? null,
    to: span?.to ?? null,
    fields: [...plan.fields],
    titles,
    paths: lostPaths(connection, gone),
    newest: turnSummaries(connection, newestOf(connection, gone)),
  };
}

function pinnedAmong(connection: Connection, gone: string): Pick<ForgetPreview, "pinned" | "pinnedNotes"> {
  const sql = `SELECT count(*) AS pinned, count(*) FILTER (WHERE s.client = '${NOTE.client}') AS pinnedNotes
    FROM json_each(?) j CROSS JOIN turn_marks m ON m.turn_id = j.value
    CROSS JOIN turns t ON t.id = m.turn_id JOIN sessions s ON s.session_id = t.session_id WHERE m.kind = 'pin'`;
  return connection.get(sql, gone) ?? { pinned: 0, pinnedNotes: 0 };
}

function losses(connection: Connection, plan: ForgetPlan, isPrune: boolean) {
  const rows = connection.all<{ sessionId: string; isNote: number; ids: string }>(
    `SELECT t.session_id AS sessionId, s.client = '${NOTE.client}' AS isNote, json_group_array(t.id) AS ids
     FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value JOIN sessions s ON s.session_id = t.session_id
     GROUP BY t.session_id`,
    JSON.stringify(plan.turnIds),
  );
  const found = rows.map(({ sessionId, isNote, ids }) => ({
    isNote: isNote === 1,
    ...sessionLoss(connection, sessionId, JSON.parse(ids), plan.needles),
  }));
  const affected = new Set(rows.map(({ sessionId }) => sessionId));
  const matching = plan.matchingSessions
    .filter((sessionId) => !affected.has(sessionId))
    .map((sessionId) => sessionLoss(connection, sessionId, [], plan.needles));
  const titles = [...found, ...matching].flatMap(({ sessionId, title, isWhole }) =>
    title !== null && (isWhole || !isPrune) ? [{ sessionId, title }] : [],
  );
  const sessions = found.filter(({ isNote }) => !isNote);
  return {
    sessions: sessions.length,
    wholeSessions: sessions.filter(({ isWhole }) => isWhole).length,
    titles,
    notes: found.length - sessions.length,
  };
}

function lostPaths(connection: Connection, gone: string): string[] {
  return connection.column<string>(
    `WITH gone AS (SELECT value AS id FROM json_each(?))
       SELECT DISTINCT m.file_path AS path FROM gone CROSS JOIN file_mentions m ON m.turn_id = gone.id
       WHERE NOT EXISTS (SELECT 1 FROM file_mentions o WHERE o.file_path = m.file_path
         AND o.turn_id NOT IN (SELECT id FROM gone)) ORDER BY 1`,
    gone,
  );
}

function newestOf(connection: Connection, gone: string): number[] {
  return connection.column<number>(
    `SELECT t.id FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value
       ORDER BY t.created_at DESC, t.id DESC LIMIT ?`,
    gone,
    SHOWN,
  );
}

/** Maximum turns of a plan for which quoting turns are searched. */
const MAX_TURNS = 100;
/** Limits for a quoted line: a shorter line is not distinctive, and neither is one that occurs in more turns. */
const LINE = { minChars: 40, maxTurns: 10 } as const;
/** Signs before a quoted line or a list item. */
const MARK = /^[\s>*-]+/;

/** Returns the remaining turns that contain a whole line of the removed text, in order. */
function quotingTurns(connection: Connection, { turnIds, cutTurnIds, needles }: ForgetPlan): number[] {
  if (turnIds.length === 0 || turnIds.length > MAX_TURNS || needles.length > 0) return [];
  const gone = new Set(turnIds);
  const said = new Map<string, Set<number>>();
  for (const { turn } of texts(connection, "t.id IN (SELECT value FROM json_each(?))", turnIds))
    for (const line of linesOf(turn)) said.set(line, new Set());
  if (said.size === 0) return [];
  for (const { id, turn } of texts(connection, "t.id NOT IN (SELECT value FROM json_each(?))", [...gone]))
    for (const line of linesOf(turn)) said.get(line)?.add(id);
  const quoting = [...said.values()].filter(({ size }) => size <= LINE.maxTurns).flatMap((ids) => [...ids]);
  return [...new Set(quoting)].filter((id) => !cutTurnIds.includes(id)).toSorted((a, b) => a - b);
}

function* texts(connection: Connection, where: string, ids: readonly number[]) {
  const rows = eachTurn(connection, { where, params: [JSON.stringify(ids)] });
  for (const { id, text, parts } of rows) yield { id, turn: { text, parts: decodeParts(parts) } };
}

/** Returns the lines of a turn without its forward context. */
function linesOf(turn: TurnText): string[] {
  const { text, parts } = withoutForward(turn);
  return parts
    .filter(({ kind }) => kind !== "tools" && kind !== "errors")
    .flatMap(({ start, end }) => text.slice(start, end).split("\n"))
    .map((line) => line.replace(MARK, "").trim())
    .filter((line) => line.length >= LINE.minChars);
}
