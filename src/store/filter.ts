import type { FilterName } from "../filter/fields.ts";
import type { Filter, FilterValues } from "../filter/filter.ts";
import type { PathFilter } from "../filter/path.ts";
import { utc } from "../filter/time.ts";
import type { Bindings, Connection } from "./connection/connection.ts";
import { isBelow, isFile } from "./resources.ts";
import { IS_OWN } from "./turns/author.ts";

/** A condition on a column; the parameters follow in the order of the text. */
export interface Condition {
  sql(column: string): string;
  params: Bindings;
  /** True when it lets everything through. */
  empty: boolean;
}

export const ANYTHING: Condition = { sql: () => "1", params: [], empty: true };

interface Clause {
  sql: string;
  params: Bindings;
}

const clause = (sql: string, ...params: Bindings): Clause => ({ sql, params });

const SESSION_IS = (condition: string) =>
  `t.session_id IN (SELECT s.session_id FROM sessions s WHERE ${condition})`;

/** What each filter asks of a turn `t`. */
const CLAUSES: { [Name in FilterName]: (value: FilterValues[Name]) => Clause } = {
  file: (path) => {
    const { sql, params } = pathCondition(path);
    return clause(`t.id IN (SELECT m.turn_id FROM file_mentions m WHERE ${sql})`, ...params);
  },
  session: (id) => clause("t.session_id = ?", id),
  branch: (name) => clause("t.branch = ?", name),
  since: (time) => clause("t.created_at >= ?", utc(time)),
  until: (time) => clause("t.created_at <= ?", utc(time)),
  role: (role) => clause("t.role = ?", role),
  from: (client) => clause(SESSION_IS("s.client = ?"), client),
  agent: (id) => clause("t.agent_id = ?", id),
  pr: (number) =>
    clause("t.session_id IN (SELECT p.session_id FROM pr_links p WHERE p.pr_number = ?)", number),
  commit: (hash) => {
    const { sql, params } = commitCondition(hash);
    return clause(`t.id IN (SELECT k.turn_id FROM commits k WHERE ${sql})`, ...params);
  },
  author: (name) =>
    clause(
      `(t.id IN (SELECT f.id FROM turns f WHERE f.author = ?) OR (? IN (SELECT m.author FROM team m) AND ${IS_OWN}))`,
      name,
      name,
    ),
  human: () => clause(SESSION_IS("NOT s.automated")),
  automated: () => clause(SESSION_IS("s.automated")),
};

/** Compiles a filter to a condition on a column of turn ids: applied where rows are read, it costs no results. */
export function turnCondition(filter: Filter | undefined): Condition {
  if (filter === undefined) return ANYTHING;
  const wanted = fitting(filter);
  const parts: ((column: string) => string)[] = [];
  const params: Bindings = [];
  if (wanted !== null) {
    parts.push((column) => `${column} IN (SELECT t.id FROM turns t WHERE ${wanted.sql})`);
    params.push(...wanted.params);
  }
  if (filter.inContext !== undefined) {
    parts.push((column) => `${column} NOT IN (${IN_CONTEXT})`);
    const { sessionId } = filter.inContext;
    params.push(sessionId, sessionId, sessionId, sessionId);
  }
  if (parts.length === 0) return ANYTHING;
  return { sql: (column) => parts.map((part) => part(column)).join(" AND "), params, empty: false };
}

/** Compiles a filter to a condition on a column of session ids: one turn of the session fits, or nothing is asked. */
export function sessionCondition(filter: Filter): Condition {
  const wanted = fitting(filter);
  if (wanted === null) return ANYTHING;
  return {
    sql: (column) => `${column} IN (SELECT t.session_id FROM turns t WHERE ${wanted.sql})`,
    params: wanted.params,
    empty: false,
  };
}

const NAMES = Object.keys(CLAUSES).filter((name): name is FilterName => name in CLAUSES);

/** The condition on a turn `t`; null when every turn fits. */
function fitting(filter: Filter): Clause | null {
  const clauses = NAMES.flatMap((name) => clauseOf(name, filter));
  if (filter.others !== undefined) clauses.push(notOfOthersBut(filter.others));
  if (filter.withoutAuthors !== undefined) clauses.push(notOf(filter.withoutAuthors));
  if (clauses.length === 0) return null;
  return clause(clauses.map(({ sql }) => sql).join(" AND "), ...clauses.flatMap(({ params }) => params));
}

function notOfOthersBut(authors: readonly string[]): Clause {
  if (authors.length === 0) return clause(IS_OWN);
  const others = "SELECT f.id FROM turns f WHERE f.author IS NOT NULL";
  return clause(
    `t.id NOT IN (${others} AND f.author NOT IN (SELECT value FROM json_each(?)))`,
    JSON.stringify(authors),
  );
}

function notOf(authors: readonly string[]): Clause {
  const theirs = "SELECT f.id FROM turns f WHERE f.author IN (SELECT value FROM json_each(?))";
  return clause(`t.id NOT IN (${theirs})`, JSON.stringify(authors));
}

function clauseOf<Name extends FilterName>(name: Name, filter: Partial<FilterValues>): Clause[] {
  const value: FilterValues[Name] | undefined = filter[name];
  return value === undefined ? [] : [CLAUSES[name](value)];
}

/** Returns the ids of the chunks that the session's client still sees. */
export function chunksInContext(connection: Connection, sessionId: string): Set<number> {
  const sql = `SELECT c.id FROM chunks c WHERE c.turn_id IN (${IN_CONTEXT})`;
  return new Set(
    connection.all<{ id: number }>(sql, sessionId, sessionId, sessionId, sessionId).map((row) => row.id),
  );
}

/** Mentions `m` of this path. */
export function pathCondition({ exact, below, suffix }: PathFilter): Clause {
  const parts: Clause[] = [];
  if (exact.length > 0) parts.push(clause(`m.file_path IN (${exact.map(() => "?").join(", ")})`, ...exact));
  if (suffix !== null) {
    const name = suffix.slice(suffix.lastIndexOf("/") + 1);
    const end = "(m.file_name = ? AND substr(m.file_path, -length(?)) = ?)";
    parts.push(clause(end, name, `/${suffix}`, `/${suffix}`));
  }
  for (const directory of below)
    parts.push(
      directory === ""
        ? clause(`(substr(m.file_path, 1, 1) <> '/' AND ${isFile("m.file_path")})`)
        : isBelow("m.file_path", directory),
    );
  const sql = parts.length === 0 ? "0" : parts.map((part) => part.sql).join(" OR ");
  return clause(`(${sql})`, ...parts.flatMap(({ params }) => params));
}

/** The index knows the first digits. */
const INDEXED_DIGITS = 7;

/** Commits `k` of this hash, abbreviated to four digits or more; what git itself abbreviated fits a longer hash. */
export function commitCondition(hash: string): Clause {
  const digits = hash.toLowerCase();
  if (digits.length < INDEXED_DIGITS)
    return clause("substr(k.hash, 1, 7) BETWEEN ? AND ?", digits, `${digits}g`);
  return clause(
    "(substr(k.hash, 1, 7) = ? AND (substr(k.hash, 1, ?) = ? OR substr(?, 1, length(k.hash)) = k.hash))",
    digits.slice(0, INDEXED_DIGITS),
    digits.length,
    digits,
    digits,
  );
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
