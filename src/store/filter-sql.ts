import { NOTE } from "../constants.ts";
import { toUtc } from "../text/when.ts";
import type { Asker, Filter, FilterName, FilterValues, PathFilter } from "./filter.ts";
import { belowDirectory } from "./resources.ts";

type Params = readonly (string | number)[];

/** A condition on a column, with its parameters in the order of the text. */
export interface Condition {
  sql(column: string): string;
  params: Params;
  /** True when the condition excludes nothing. */
  empty: boolean;
}

export interface Clause {
  sql: string;
  params: Params;
}

export const clause = (sql: string, ...params: Params): Clause => ({ sql, params });

export const MATCH_ALL: Condition = { sql: () => "true", params: [], empty: true };

/** The differences between the two databases: the ids of turns, the rows of a project, and authors. */
interface Dialect {
  /** SQL of the id of the turn `t`. */
  turnId: string;
  /** Returns the start of a subquery on rows of the project. A condition follows. */
  from(table: string, alias: string): string;
  /** Returns the condition that a resource is a file. */
  isPath(column: string): string;
  /** Returns a condition on the session `s` of the turn `t`. */
  sessionIs(condition: string): string;
  /** Returns conditions on the author of the turn `t`: this author; only the user and these authors; none of these authors. */
  author(name: string): Clause;
  othersBut(authors: readonly string[]): Clause;
  noneOf(authors: readonly string[]): Clause;
  /** Returns the ids of the turns in the asker's context. Only in a memory's file. */
  inContext?(asker: Asker): Clause;
}

/** The SQL conditions of filters, the same in both databases. */
interface FilterSql {
  /** Returns a condition on a column of turn ids. It applies before any limit, so no results are lost. */
  turnCondition(filter: Filter | undefined): Condition;
  /** Returns a condition on a column of session ids. It holds when a turn of the session matches, or when the filter is empty. */
  sessionCondition(filter: Filter): Condition;
  /** Returns a condition on the path of a mention `m`. */
  pathCondition(path: PathFilter): Clause;
}

/**
 * Builds the conditions of filters for a database.
 *
 * @throws `TypeError` for a filter that the database cannot answer, such as an agent's context on a team's database.
 */
export function filterSql(dialect: Dialect): FilterSql {
  const { from, turnId } = dialect;
  const clauses = clausesIn(dialect);
  const turns = `${turnId} ${from("turns", "t")}`;
  const fitting = (filter: Filter) => allOf(filter, clauses, dialect);
  return {
    turnCondition(filter) {
      if (filter === undefined) return MATCH_ALL;
      const wanted = fitting(filter);
      const parts: { before: string; inside: Clause }[] = [];
      if (wanted !== null)
        parts.push({ before: "IN", inside: { ...wanted, sql: `SELECT ${turns} ${wanted.sql}` } });
      if (filter.inContext !== undefined) {
        if (dialect.inContext === undefined)
          throw new TypeError("this database does not store agents' contexts");
        parts.push({ before: "NOT IN", inside: dialect.inContext(filter.inContext) });
      }
      if (parts.length === 0) return MATCH_ALL;
      return {
        sql: (column) =>
          parts.map(({ before, inside }) => `${column} ${before} (${inside.sql})`).join(" AND "),
        params: parts.flatMap(({ inside }) => inside.params),
        empty: false,
      };
    },
    sessionCondition(filter) {
      const wanted = fitting(filter);
      if (wanted === null) return MATCH_ALL;
      return {
        sql: (column) => `${column} IN (SELECT t.session_id ${from("turns", "t")} ${wanted.sql})`,
        params: wanted.params,
        empty: false,
      };
    },
    pathCondition: (path) => pathCondition(path, dialect),
  };
}

type Clauses = { [Name in FilterName]: (value: FilterValues[Name]) => Clause };

/** Builds the clause of each filter on a turn `t`. */
function clausesIn(dialect: Dialect): Clauses {
  const { turnId, from, sessionIs } = dialect;
  const among = (column: string, rows: string, { sql, params }: Clause) =>
    clause(`${column} IN (SELECT ${rows} ${sql})`, ...params);
  return {
    file: (path) => among(turnId, `m.turn_id ${from("file_mentions", "m")}`, pathCondition(path, dialect)),
    session: (id) => clause("t.session_id = ?", id),
    branch: (name) => clause("t.branch = ?", name),
    since: (time) => clause("t.created_at >= ?", toUtc(time)),
    until: (time) => clause("t.created_at <= ?", toUtc(time)),
    role: (role) => clause("t.role = ?", role),
    from: (client) => clause(sessionIs("s.client = ?"), client),
    agent: (id) => clause("t.agent_id = ?", id),
    pr: (number) =>
      among("t.session_id", `p.session_id ${from("pr_links", "p")}`, clause("p.pr_number = ?", number)),
    commit: (hash) => among(turnId, `k.turn_id ${from("commits", "k")}`, commitCondition(hash)),
    author: (name) => dialect.author(name),
    human: () => clause(sessionIs("NOT s.automated")),
    automated: () => clause(sessionIs("s.automated")),
  };
}

/** Combines the clauses of a filter on a turn `t`; null when every turn matches. */
function allOf(filter: Filter, clauses: Clauses, { othersBut, noneOf }: Dialect): Clause | null {
  const names = Object.keys(clauses).filter((name): name is FilterName => name in clauses);
  const wanted = names.flatMap((name) => clauseOf(name, filter, clauses));
  if (filter.others !== undefined) wanted.push(othersBut(filter.others));
  if (filter.withoutAuthors !== undefined) wanted.push(noneOf(filter.withoutAuthors));
  if (filter.withoutAgentNotes) wanted.push(clause("t.origin <> 'agent'"));
  if (wanted.length === 0) return null;
  return clause(wanted.map(({ sql }) => sql).join(" AND "), ...wanted.flatMap(({ params }) => params));
}

function clauseOf<Name extends FilterName>(
  name: Name,
  filter: Partial<FilterValues>,
  clauses: Clauses,
): Clause[] {
  const value: FilterValues[Name] | undefined = filter[name];
  return value === undefined ? [] : [clauses[name](value)];
}

function pathCondition({ exact, below, suffix }: PathFilter, { isPath }: Dialect): Clause {
  const parts: Clause[] = [];
  if (exact.length > 0) parts.push(clause(`m.file_path IN (${exact.map(() => "?").join(", ")})`, ...exact));
  if (suffix !== null) {
    const name = suffix.slice(suffix.lastIndexOf("/") + 1);
    const end = "substr(m.file_path, length(m.file_path) - length(CAST(? AS text)) + 1)";
    parts.push(clause(`(m.file_name = ? AND ${end} = ?)`, name, `/${suffix}`, `/${suffix}`));
  }
  for (const directory of below)
    parts.push(
      directory === ""
        ? clause(`(substr(m.file_path, 1, 1) <> '/' AND ${isPath("m.file_path")})`)
        : belowDirectory("m.file_path", directory),
    );
  const sql = parts.length === 0 ? "false" : parts.map((part) => part.sql).join(" OR ");
  return clause(`(${sql})`, ...parts.flatMap(({ params }) => params));
}

/** Number of hash digits in the index. */
const INDEXED_DIGITS = 7;

/**
 * Returns a condition on commits `k` with this hash, abbreviated to four digits or more. A stored hash that git has abbreviated
 * also matches a longer one.
 */
export function commitCondition(hash: string): Clause {
  const digits = hash.toLowerCase();
  if (digits.length < INDEXED_DIGITS)
    return clause("substr(k.hash, 1, 7) BETWEEN ? AND ?", digits, `${digits}g`);
  return clause(
    "(substr(k.hash, 1, 7) = ? AND (substr(k.hash, 1, ?) = ? OR substr(CAST(? AS text), 1, length(k.hash)) = k.hash))",
    digits.slice(0, INDEXED_DIGITS),
    digits.length,
    digits,
    digits,
  );
}

/**
 * Returns the end of a condition that leaves out the user's notes, which are stored like sessions. Empty when the filter asks for
 * notes or for one session.
 */
export function withoutNotes(client: string, { from, session }: Pick<Filter, "from" | "session">): string {
  return from === NOTE.client || session !== undefined ? "" : ` AND ${client} <> '${NOTE.client}'`;
}

/**
 * Returns the filter for a path in a prompt: the path itself, a longer path that ends in it and, if it contains a `/`, everything
 * below it.
 */
export function hintedPath(hint: string): PathFilter {
  const path = hint
    .replaceAll("\\", "/")
    .replace(/^\.\//, "")
    .replace(/(?<!\/)\/+$/, "");
  return { exact: [hint, path], suffix: path, below: hint.includes("/") ? [`${path}/`] : [] };
}
