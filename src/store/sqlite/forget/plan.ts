import { authorOrOwn } from "../../filter.ts";
import type { ForgetPlan, ForgetSelection, Needle } from "../../forget.ts";
import { belowDirectory } from "../../resources.ts";
import type { Connection } from "../connection/connection.ts";
import { turnCondition } from "../filter.ts";
import { matchingFields, matchingSessions, matchingTurns, turnsTouching } from "./fields.ts";
import { findCopies } from "./wordings.ts";

export const NO_PLAN: ForgetPlan = {
  turnIds: [],
  sessionId: null,
  needles: [],
  matchingSessions: [],
  fields: [],
  cutTurnIds: [],
  summaries: 0,
  subagentTurns: 0,
  naming: 0,
  copies: 0,
  undoesImport: false,
};

/** Plans the removal of the turns that match the whole selection, and of everything derived from them. */
export function planForget(connection: Connection, selection: ForgetSelection): ForgetPlan {
  const { turnIds, sessionId, paths, match, before, author } = selection;
  const needles = needlesOf(selection);
  const matching = needles.length === 0 ? null : matchingTurns(connection, needles);
  const touching = new Set(paths === undefined ? [] : touchingPaths(connection, paths));
  const parts = selectedTurns(connection, selection, touching);
  const others = match === undefined && before === undefined ? NONE : notBy(connection, author);
  const selected = intersection(parts).difference(others);
  const copies = isOfTurns(selection) ? findCopies(connection, selected) : [];
  const chosen = new Set([...selected, ...copies]);
  const summaries = summariesOf(connection, chosen).filter((id) => !chosen.has(id));
  const all = new Set([...chosen, ...summaries]);
  const isOnly = parts.length === 1;
  return {
    turnIds: existing(connection, all),
    sessionId: isOnly && sessionId !== undefined ? sessionId : null,
    needles,
    matchingSessions: isOnly ? matchingSessions(connection, needles) : [],
    fields: isOnly && match !== undefined ? matchingFields(connection, needles) : [],
    cutTurnIds: isOnly ? (matching?.forward ?? []).filter((id) => !all.has(id) && !others.has(id)) : [],
    summaries: summaries.length,
    subagentTurns: turnIds === undefined ? 0 : selected.size - new Set(turnIds).size,
    copies: copies.length,
    undoesImport: isOnly && selection.imported !== undefined && summaries.length === 0,
    naming: paths === undefined ? 0 : selected.difference(touching).size,
  };
}

/** Tells whether the selection chooses turns by what they are, so that their copies are meant, too. */
function isOfTurns({ turnIds, sessionId, before, imported }: ForgetSelection): boolean {
  return (turnIds ?? sessionId) !== undefined && (before ?? imported) === undefined;
}

const NONE: ReadonlySet<number> = new Set();

/** Returns the turns of everyone except this author, by default the user. */
function notBy(connection: Connection, author: string | undefined): ReadonlySet<number> {
  const whose = turnCondition(authorOrOwn(author));
  if (whose.empty) return NONE;
  const isOthers = `SELECT t.id FROM turns t WHERE NOT (${whose.sql("t.id")})`;
  return new Set(connection.column<number>(isOthers, ...whose.params));
}

/** Returns the turns that match each part of the selection. */
function selectedTurns(
  connection: Connection,
  { turnIds, sessionId, paths, match, before, imported }: ForgetSelection,
  touching: ReadonlySet<number>,
): number[][] {
  const parts: number[][] = [];
  if (turnIds !== undefined) parts.push([...turnIds, ...subagentsDuring(connection, turnIds)]);
  if (sessionId !== undefined)
    parts.push(ids(connection, "SELECT id FROM turns WHERE session_id = ?", sessionId));
  if (before !== undefined) parts.push(ids(connection, "SELECT id FROM turns WHERE created_at < ?", before));
  if (imported !== undefined)
    parts.push(ids(connection, "SELECT id FROM turns WHERE foreign_origin = ?", imported));
  if (paths !== undefined) parts.push([...touching, ...matchingTurns(connection, pathNeedles(paths)).text]);
  if (match !== undefined) {
    const needle = [{ text: match, isPath: false }];
    parts.push([...matchingTurns(connection, needle).text, ...turnsTouching(connection, needle)]);
  }
  return parts;
}

/** Lists the names of the memories that turns were imported from. */
export function importSources(connection: Connection): string[] {
  const sql =
    "SELECT DISTINCT foreign_origin AS name FROM turns WHERE foreign_origin IS NOT NULL ORDER BY name";
  return connection.column<string>(sql);
}

function needlesOf({ paths = [], match }: ForgetSelection): Needle[] {
  return [...pathNeedles(paths), ...(match === undefined ? [] : [{ text: match, isPath: false }])];
}

function pathNeedles(paths: readonly string[]): Needle[] {
  return paths.map((text) => ({ text, isPath: true }));
}

function touchingPaths(connection: Connection, paths: readonly string[]): number[] {
  return paths.flatMap((path) => {
    const { sql, params } = path.endsWith("/")
      ? belowDirectory("file_path", path)
      : { sql: "file_path = ?", params: [path] };
    return ids(connection, `SELECT DISTINCT turn_id AS id FROM file_mentions WHERE ${sql}`, ...params);
  });
}

function subagentsDuring(connection: Connection, turnIds: readonly number[]): number[] {
  return ids(
    connection,
    `SELECT DISTINCT a.id FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value AND t.agent_id IS NULL
       CROSS JOIN turns a ON a.session_id = t.session_id AND a.agent_id IS NOT NULL
         AND a.created_at >= t.created_at AND a.created_at <= t.ended_at`,
    JSON.stringify(turnIds),
  );
}

// Summaries quote earlier turns of their session and of sessions that resumed it.
function summariesOf(connection: Connection, chosen: ReadonlySet<number>): number[] {
  return ids(
    connection,
    `WITH gone AS (SELECT t.id, t.session_id, t.created_at FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value),
       reached AS (SELECT session_id, created_at FROM gone UNION ALL
         SELECT y.session_id, gone.created_at FROM gone CROSS JOIN turn_copies y ON y.turn_id = gone.id),
       since AS (SELECT session_id, min(coalesce(created_at, '')) AS time FROM reached GROUP BY session_id)
     SELECT t.id FROM since CROSS JOIN turns t ON t.session_id = since.session_id
       WHERE t.role <> 'turn' AND coalesce(t.created_at, since.time) >= since.time`,
    JSON.stringify([...chosen]),
  );
}

function existing(connection: Connection, chosen: ReadonlySet<number>): number[] {
  return ids(
    connection,
    "SELECT t.id FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value ORDER BY t.session_id, t.id",
    JSON.stringify([...chosen]),
  );
}

function intersection(parts: readonly (readonly number[])[]): Set<number> {
  const [first = [], ...rest] = parts;
  return rest.reduce((left, part) => left.intersection(new Set(part)), new Set(first));
}

function ids(connection: Connection, sql: string, ...params: string[]): number[] {
  return connection.column<number>(sql, ...params);
}
