import type { FilterName } from "../../filter/fields.ts";
import type { Filter, FilterValues } from "../../filter/filter.ts";
import type { PathFilter } from "../../filter/path.ts";
import { utc } from "../../filter/time.ts";
import { isBelow } from "../resources.ts";
import type { ProjectDatabase, Value } from "./query.ts";
import { isFile } from "./resources.ts";
import { json } from "./text.ts";

/** A condition on a column; the parameters follow in the order of the text. */
export interface Condition {
  sql(column: string): string;
  params: readonly Value[];
  /** True when it lets everything through. */
  empty: boolean;
}

export const ANYTHING: Condition = { sql: () => "true", params: [], empty: true };

interface Clause {
  sql: string;
  params: readonly Value[];
}

const clause = (sql: string, ...params: readonly Value[]): Clause => ({ sql, params });

/** Whether the session of the turn `t` fits. */
const SESSION_IS = (
  condition: string,
) => `EXISTS (SELECT 1 FROM mementor.sessions s WHERE s.project_id = :project
    AND s.author = t.author AND s.session_id = t.session_id AND ${condition})`;

/** What each filter asks of a turn `t`; the same as in the SQLite store's `filter.ts`. */
const CLAUSES: { [Name in FilterName]: (value: FilterValues[Name]) => Clause } = {
  file: (path) => {
    const { sql, params } = pathCondition(path);
    const mentions = "SELECT m.turn_id FROM mementor.file_mentions m WHERE m.project_id = :project";
    return clause(`t.turn_id IN (${mentions} AND ${sql})`, ...params);
  },
  session: (id) => clause("t.session_id = ?", id),
  branch: (name) => clause("t.branch = ?", name),
  since: (time) => clause("t.created_at >= ?", utc(time)),
  until: (time) => clause("t.created_at <= ?", utc(time)),
  role: (role) => clause("t.role = ?", role),
  from: (client) => clause(SESSION_IS("s.client = ?"), client),
  agent: (id) => clause("t.agent_id = ?", id),
  pr: (number) => {
    const linked = "SELECT p.session_id FROM mementor.pr_links p WHERE p.project_id = :project";
    return clause(`t.session_id IN (${linked} AND p.pr_number = ?)`, number);
  },
  commit: (hash) => {
    const { sql, params } = commitCondition(hash);
    const made = "SELECT k.turn_id FROM mementor.commits k WHERE k.project_id = :project";
    return clause(`t.turn_id IN (${made} AND ${sql})`, ...params);
  },
  author: (name) => clause("t.author = ?", name),
  human: () => clause(SESSION_IS("NOT s.automated")),
  automated: () => clause(SESSION_IS("s.automated")),
};

/** Compiles a filter to a condition on a column of turn ids. */
export function turnCondition(filter: Filter | undefined): Condition {
  if (filter === undefined) return ANYTHING;
  const wanted = fitting(filter);
  const parts: ((column: string) => string)[] = [];
  const params: Value[] = [];
  if (wanted !== null) {
    parts.push((column) => `${column} IN (SELECT t.turn_id ${TURNS} AND ${wanted.sql})`);
    params.push(...wanted.params);
  }
  if (filter.inContext !== undefined) {
    parts.push((column) => `${column} NOT IN (${IN_CONTEXT})`);
    params.push(...inContextParams(filter.inContext.sessionId));
  }
  if (parts.length === 0) return ANYTHING;
  return { sql: (column) => parts.map((part) => part(column)).join(" AND "), params, empty: false };
}

/** Compiles a filter to a condition on a column of session ids: one turn of the session fits, or nothing is asked. */
export function sessionCondition(filter: Filter): Condition {
  const wanted = fitting(filter);
  if (wanted === null) return ANYTHING;
  return {
    sql: (column) => `${column} IN (SELECT t.session_id ${TURNS} AND ${wanted.sql})`,
    params: wanted.params,
    empty: false,
  };
}

const TURNS = "FROM mementor.turns t WHERE t.project_id = :project";

const NAMES = Object.keys(CLAUSES).filter((name): name is FilterName => name in CLAUSES);

/** The condition on a turn `t`; null when every turn fits. */
function fitting(filter: Filter): Clause | null {
  const clauses = NAMES.flatMap((name) => clauseOf(name, filter));
  if (filter.others !== undefined)
    clauses.push(
      clause(
        "(t.author = current_user::text OR t.author IN (SELECT jsonb_array_elements_text(?::text::jsonb)))",
        json(filter.others),
      ),
    );
  if (filter.withoutAuthors !== undefined)
    clauses.push(
      clause(
        "t.author NOT IN (SELECT jsonb_array_elements_text(?::text::jsonb))",
        json(filter.withoutAuthors),
      ),
    );
  if (clauses.length === 0) return null;
  return clause(clauses.map(({ sql }) => sql).join(" AND "), ...clauses.flatMap(({ params }) => params));
}

function clauseOf<Name extends FilterName>(name: Name, filter: Partial<FilterValues>): Clause[] {
  const value: FilterValues[Name] | undefined = filter[name];
  return value === undefined ? [] : [CLAUSES[name](value)];
}

/** Returns the ids of the chunks that the session's client still sees. */
export async function chunksInContext(database: ProjectDatabase, sessionId: string): Promise<Set<number>> {
  const sql = `SELECT c.chunk_id AS id FROM mementor.chunks c
    WHERE c.project_id = :project AND c.turn_id IN (${IN_CONTEXT})`;
  return new Set(
    (await database.all<{ id: number }>(sql, ...inContextParams(sessionId))).map(({ id }) => id),
  );
}

/** Mentions `m` of this path. */
export function pathCondition({ exact, below, suffix }: PathFilter): Clause {
  const parts: Clause[] = [];
  if (exact.length > 0) parts.push(clause(`m.file_path IN (${exact.map(() => "?").join(", ")})`, ...exact));
  if (suffix !== null) {
    const name = suffix.slice(suffix.lastIndexOf("/") + 1);
    const end = "(m.file_name = ? AND right(m.file_path, length(?::text)) = ?)";
    parts.push(clause(end, name, `/${suffix}`, `/${suffix}`));
  }
  for (const directory of below)
    parts.push(
      directory === ""
        ? clause(`(left(m.file_path, 1) <> '/' AND ${isFile("m.file_path")})`)
        : isBelow("m.file_path", directory),
    );
  const sql = parts.length === 0 ? "false" : parts.map((part) => part.sql).join(" OR ");
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
    "(substr(k.hash, 1, 7) = ? AND (substr(k.hash, 1, ?) = ? OR substr(?::text, 1, length(k.hash)) = k.hash))",
    digits.slice(0, INDEXED_DIGITS),
    digits.length,
    digits,
    digits,
  );
}

/** Compactions `k` of a session that took effect. */
const BOUNDARIES = `FROM mementor.compactions k
  WHERE k.project_id = :project AND k.session_id = ? AND NOT k.provisional`;

// A line says nothing about those of another file: there the times decide. What lost its line came before all of them.
const COMPACTED = `EXISTS (SELECT 1 ${BOUNDARIES} AND
  CASE WHEN t.agent_id IS NULL AND coalesce(k.source_id = t.source_id, true)
    THEN t.line_index IS NULL OR t.line_index <= k.line_index ELSE t.created_at <= k.timestamp END)`;

/** What the session's client still has in its context: its turns and subagents after the boundary, and copied ones. */
const IN_CONTEXT = `
  SELECT t.turn_id ${TURNS} AND t.session_id = ? AND NOT ${COMPACTED}
  UNION ALL
  SELECT y.turn_id FROM mementor.turn_copies y WHERE y.project_id = :project AND y.session_id = ?
    AND NOT EXISTS (SELECT 1 ${BOUNDARIES} AND y.line_index <= k.line_index
      AND coalesce(k.source_id = y.source_id, true))`;

const inContextParams = (sessionId: string) => [sessionId, sessionId, sessionId, sessionId];
