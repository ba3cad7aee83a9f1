import type { Bindings, Connection } from "./connection/connection.ts";
import type { SearchFilter } from "./types.ts";

/** A condition on a column that holds turn ids; the parameters follow in the order of the text. */
export interface Condition {
  sql(column: string): string;
  params: Bindings;
  /** True when it lets every turn through. */
  empty: boolean;
}

export const ANY_TURN: Condition = { sql: () => "1", params: [], empty: true };

/** Compiles a filter, so that it is applied where rows are read and costs no results. */
export function turnCondition(filter: SearchFilter | undefined): Condition {
  if (filter === undefined) return ANY_TURN;
  const wanted = wantedTurns(filter);
  const parts: ((column: string) => string)[] = [];
  const params: Bindings = [];
  if (wanted.clauses.length > 0) {
    parts.push((column) => `${column} IN (SELECT t.id FROM turns t WHERE ${wanted.clauses.join(" AND ")})`);
    params.push(...wanted.params);
  }
  if (filter.inContext !== undefined) {
    parts.push((column) => `${column} NOT IN (${IN_CONTEXT})`);
    const { sessionId } = filter.inContext;
    params.push(sessionId, sessionId, sessionId, sessionId);
  }
  if (parts.length === 0) return ANY_TURN;
  return { sql: (column) => parts.map((part) => part(column)).join(" AND "), params, empty: false };
}

function wantedTurns(filter: SearchFilter): { clauses: string[]; params: Bindings } {
  const clauses: string[] = [];
  const params: Bindings = [];
  const add = (clause: string, ...values: Bindings) => {
    clauses.push(clause);
    params.push(...values);
  };
  if (filter.sessionId !== undefined) add("t.session_id = ?", filter.sessionId);
  if (filter.branch !== undefined) add("t.branch = ?", filter.branch);
  if (filter.since !== undefined) add("t.created_at >= ?", utc(filter.since));
  if (filter.until !== undefined) add("t.created_at <= ?", utc(filter.until));
  if (filter.role !== undefined) add("t.role = ?", filter.role);
  if (filter.agentId !== undefined) add("t.agent_id = ?", filter.agentId);
  if (filter.filePath !== undefined) {
    const path = pathCondition(filter.filePath);
    add(`t.id IN (SELECT m.turn_id FROM file_mentions m WHERE ${path.sql})`, ...path.params);
  }
  if (filter.prNumber !== undefined) {
    add("t.session_id IN (SELECT p.session_id FROM pr_links p WHERE p.pr_number = ?)", filter.prNumber);
  }
  if (filter.commit !== undefined) {
    const commit = commitCondition(filter.commit);
    add(`t.id IN (SELECT k.turn_id FROM commits k WHERE ${commit.sql})`, ...commit.params);
  }
  return { clauses, params };
}

/** Returns the ids of the chunks that the session's client still sees. */
export function chunksInContext(connection: Connection, sessionId: string): Set<number> {
  const sql = `SELECT c.id FROM chunks c WHERE c.turn_id IN (${IN_CONTEXT})`;
  return new Set(
    connection.all<{ id: number }>(sql, sessionId, sessionId, sessionId, sessionId).map((row) => row.id),
  );
}

/** Mentions `m` of this path: itself, its end in whole segments, or what lies below it. */
export function pathCondition(path: string): { sql: string; params: Bindings } {
  const hint = path.replaceAll("\\", "/").replace(/^\.\//, "").replace(/\/+$/, "");
  const name = hint.slice(hint.lastIndexOf("/") + 1);
  const suffix = "(m.file_name = ? AND substr(m.file_path, -length(?)) = ?)";
  const params: Bindings = [path, hint, name, `/${hint}`, `/${hint}`];
  if (!path.includes("/")) return { sql: `(m.file_path IN (?, ?) OR ${suffix})`, params };
  return {
    sql: `(m.file_path IN (?, ?) OR ${suffix} OR (m.file_path >= ? AND m.file_path < ?))`,
    params: [...params, `${hint}/`, `${hint}0`],
  };
}

/** Commits `k` of this hash, where either may be abbreviated to seven digits or more. */
export function commitCondition(hash: string): { sql: string; params: Bindings } {
  const digits = hash.toLowerCase();
  return {
    sql: "(substr(k.hash, 1, 7) = ? AND (substr(k.hash, 1, ?) = ? OR substr(?, 1, length(k.hash)) = k.hash))",
    params: [digits.slice(0, 7), digits.length, digits, digits],
  };
}

function utc(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toISOString();
}

/** Compactions `k` of a session that took effect. */
const BOUNDARIES = "FROM compactions k WHERE k.session_id = ? AND NOT k.provisional";

// A line says nothing about those of another file: there the times decide. What lost its line came before all of them.
const COMPACTED = `EXISTS (SELECT 1 ${BOUNDARIES} AND
  iif(t.agent_id IS NULL AND coalesce(k.source_id = t.source_id, 1),
    t.line_index IS NULL OR t.line_index <= k.line_index, t.created_at <= k.timestamp))`;

/** What the session's client still has in its context: its turns and subagents after the boundary, and copied ones. */
const IN_CONTEXT = `
  SELECT t.id FROM turns t WHERE t.session_id = ? AND NOT ${COMPACTED}
  UNION ALL
  SELECT y.turn_id FROM turn_copies y WHERE y.session_id = ? AND NOT EXISTS (SELECT 1 ${BOUNDARIES}
    AND y.line_index <= k.line_index AND coalesce(k.source_id = y.source_id, 1))`;
