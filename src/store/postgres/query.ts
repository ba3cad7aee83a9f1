import { clause, filterSql } from "../filter-sql.ts";
import { FILE_TOOLS, isScript } from "../resources.ts";
import type { StoredChunk, StoredTurn } from "../stored.ts";
import { CHUNK_CHARS, type TurnRow, turnOfRow } from "../turn-rows.ts";
import type { Database, Statements, TransactionOptions } from "./client/database.ts";
import { writeRefusal } from "./schema/migrate.ts";

/** Columns and joins that several queries share. `t` is a turn, `s` its session. */

/** Author of the turn; null for the caller. */
export const AUTHOR_SQL = "nullif(t.author, current_user::text)";

/** Origin of a turn that the caller did not make: `team`, as in a memory that pulled it. */
export const FOREIGN = "CASE WHEN t.author <> current_user::text THEN 'team' END";

/** Join with the turn's session by author, because several members may hold copies of one transcript. */
export const SESSION_JOIN = `JOIN mementor.sessions s ON s.project_id = t.project_id AND s.author = t.author
  AND s.session_id = t.session_id`;

/**
 * Ids or texts from a parameter made by `json`, as rows `j` with `value` and, in the given order, `key`. `OFFSET 0` keeps the
 * conversion out of joins: under row-level security, no index would be used for a value that still needs converting.
 */
export const IDS =
  "(SELECT value::bigint, key FROM jsonb_array_elements_text(?::text::jsonb) WITH ORDINALITY AS x (value, key) OFFSET 0) j";
export const TEXTS_SQL = "jsonb_array_elements_text(?::text::jsonb) WITH ORDINALITY AS j (value, key)";

/** Turns of the project with the ids of a parameter, in the order of `j.key`. */
export const TURNS_BY_ID = `${IDS} JOIN mementor.turns t ON t.project_id = :project AND t.turn_id = j.value`;

/** Condition that a turn belongs to a main conversation. */
export const OF_MAIN = "t.agent_id IS NULL AND NOT t.is_sidechain";

/** Id of the project's active model, or null. */
export const ACTIVE_MODEL = "(SELECT p.active_model FROM mementor.projects p WHERE p.project_id = :project)";

/** Returns the condition that a resource is a path, not a web address. */
function isPath(column: string): string {
  return `strpos(${column}, '://') = 0`;
}

/** Returns the condition that a resource is a file, as in a memory's file: see `store/browse.ts`. */
export function isFile(column: string): string {
  const name = `regexp_replace(${column}, '^.*/', '')`;
  return `(${isPath(column)} AND strpos(${column}, '*') = 0 AND right('/' || ${column}, 4) <> '/...'
    AND (strpos(${name}, '.') > 0 OR (left(${column}, 1) <> '/' OR strpos(substr(${column}, 2), '/') > 0)
      AND (${name} <> lower(${name}) OR ${isScript(column, "strpos")} OR EXISTS (SELECT 1 FROM mementor.file_mentions named WHERE named.project_id = :project
        AND named.file_path = ${column} AND named.tool_name IN ${FILE_TOOLS})))
    AND NOT EXISTS (SELECT 1 FROM mementor.file_mentions below WHERE below.project_id = :project
      AND below.file_path >= ${column} || '/' AND below.file_path < ${column} || '0'))`;
}

/** Returns the condition that lists show a resource: files and web addresses. */
export function isShown(column: string): string {
  return `(NOT (${isPath(column)}) OR ${isFile(column)})`;
}

/** Replaces U+0000 and lone surrogates by U+FFFD, so that PostgreSQL can store the text and offsets stay valid. */
export function storableText(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}

/** Encodes a value as JSON for a parameter that SQL reads by `?::text::jsonb`. */
export function json(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === "string" ? storableText(part) : part));
}

export type SqlValue = string | number | boolean | Uint8Array | null;

/**
 * Runs statements on one project of a team's database within a transaction. `?` stands for the next parameter, as in the SQLite
 * files, and `:project` for the project's id.
 */
export interface ProjectDatabase {
  readonly project: number;
  all<Row>(sql: string, ...params: readonly SqlValue[]): Promise<Row[]>;
  /** Returns the first column of each row. */
  column<First>(sql: string, ...params: readonly SqlValue[]): Promise<First[]>;
  /** Returns the first row; null when there is none. */
  get<Row>(sql: string, ...params: readonly SqlValue[]): Promise<Row | null>;
  /** Runs a statement and returns the number of written rows. */
  run(sql: string, ...params: readonly SqlValue[]): Promise<number>;
}

/** A project of a team's database. Each call of `work` is one transaction, and may be repeated. */
export interface TeamProject {
  readonly project: number;
  /** Runs `work` on one unchanging view of the data. */
  read<T>(work: (database: ProjectDatabase) => Promise<T>, options?: Limits): Promise<T>;
  /** Runs `work` in a write transaction. Throws `db_newer` or `db_older` when the schema is not this program's. */
  write<T>(work: (database: ProjectDatabase) => Promise<T>, options?: Limits): Promise<T>;
}

type Limits = Pick<TransactionOptions, "timeoutMs" | "signal">;

type Method = (...args: never[]) => Promise<unknown>;

/** A method of the store as a function of a database. */
export type Query<Of extends Method> = (
  database: ProjectDatabase,
  ...args: Parameters<Of>
) => Promise<Awaited<ReturnType<Of>>>;

export function teamProject(server: Database, project: number): TeamProject {
  return {
    project,
    read: (work, options) =>
      server.transaction((sql) => work(inProject(sql, project)), {
        ...options,
        isReadOnly: true,
        isolation: "repeatable read",
      }),
    write: (work, options) =>
      server.transaction(async (sql) => {
        await checkWritable(sql);
        return work(inProject(sql, project));
      }, options),
  };
}

/** Returns a project whose reads all run in the given open transaction. */
export function readerInTransaction(database: ProjectDatabase): Pick<TeamProject, "read"> {
  return { read: (work) => work(database) };
}

async function checkWritable(sql: Statements): Promise<void> {
  const [meta] = await sql.query<{ version: number }>(
    "SELECT schema_version AS version FROM mementor.meta WHERE id = 1",
  );
  const refusal = writeRefusal(meta?.version ?? 0);
  if (refusal !== null) throw refusal;
}

export function inProject(sql: Statements, project: number): ProjectDatabase {
  const all = <Row>(text: string, ...params: readonly SqlValue[]) => {
    const { text: numberedText, values } = numberPlaceholders(text, params, project);
    return sql.query<Row>(numberedText, values);
  };
  return {
    project,
    all,
    column: async <First>(text: string, ...params: readonly SqlValue[]) =>
      (await all<Record<string, First>>(text, ...params)).flatMap((row) => Object.values(row).slice(0, 1)),
    get: async <Row>(text: string, ...params: readonly SqlValue[]) =>
      (await all<Row>(text, ...params))[0] ?? null,
    run: async (text, ...params) => {
      const { text: numberedText, values } = numberPlaceholders(text, params, project);
      return sql.run(numberedText, values);
    },
  };
}

const PLACEHOLDERS = /'(?:[^']|'')*'|(?<!:):project\b|\?/g;

/**
 * Numbers the placeholders as PostgreSQL expects.
 *
 * @throws `RangeError` unless there are as many parameters as placeholders.
 */
export function numberPlaceholders(
  sql: string,
  params: readonly SqlValue[],
  project: number,
): { text: string; values: SqlValue[] } {
  const values: SqlValue[] = [];
  let next = 0;
  let place: string | undefined;
  const add = (value: SqlValue) => `$${values.push(typeof value === "string" ? storableText(value) : value)}`;
  const text = sql.replace(PLACEHOLDERS, (found) => {
    if (found.startsWith("'")) return found;
    if (found === "?") return add(params[next++] ?? null);
    place ??= add(project);
    return place;
  });
  if (next !== params.length) throw new RangeError(`${params.length} parameters for ${next} places: ${sql}`);
  return { text, values };
}

export { type Condition, commitCondition } from "../filter-sql.ts";

const { turnCondition, sessionCondition, pathCondition } = filterSql({
  turnId: "t.turn_id",
  from: (table, alias) => `FROM mementor.${table} ${alias} WHERE ${alias}.project_id = :project AND`,
  isPath,
  sessionIs: (condition) => `EXISTS (SELECT 1 FROM mementor.sessions s WHERE s.project_id = :project
    AND s.author = t.author AND s.session_id = t.session_id AND ${condition})`,
  author: (name) => clause("t.author = ?", name),
  othersBut: (authors) =>
    clause(
      "(t.author = current_user::text OR t.author IN (SELECT jsonb_array_elements_text(?::text::jsonb)))",
      json(authors),
    ),
  noneOf: (authors) =>
    clause("t.author NOT IN (SELECT jsonb_array_elements_text(?::text::jsonb))", json(authors)),
});

export { pathCondition, sessionCondition, turnCondition };

/** Returns turns in the given order, with at most `chars` characters of their texts. Leaves out unknown ids. */
export async function storedTurns(
  database: ProjectDatabase,
  turnIds: readonly number[],
  chars: number | null = null,
): Promise<StoredTurn[]> {
  const rows = await database.all<TurnRow>(
    `SELECT t.turn_id AS "turnId", t.session_id AS "sessionId", s.client, t.agent_id AS "agentId",
       -1 AS "lineIndex", false AS provisional, t.role, t.origin, ${chars === null ? "t.full_text" : "left(t.full_text, ?::int)"} AS text, t.parts,
       t.tool_summary AS "toolSummary", t.is_sidechain AS "isSidechain", t.created_at AS "createdAt",
       t.ended_at AS "endedAt", t.branch, NULL AS cwd, t.model, t.client_version AS "clientVersion",
       s.title AS "sessionTitle", ${FOREIGN} AS "foreign", ${AUTHOR_SQL} AS author
     FROM ${TURNS_BY_ID} ${SESSION_JOIN} ORDER BY j.key`,
    ...(chars === null ? [] : [chars]),
    json(turnIds),
  );
  return rows.map(turnOfRow);
}

/** Returns chunks in the order of turn and position. Leaves out unknown ids. */
export function storedChunks(database: ProjectDatabase, chunkIds: readonly number[]): Promise<StoredChunk[]> {
  return database.all<StoredChunk>(
    `SELECT c.chunk_id AS "chunkId", c.turn_id AS "turnId", c.chunk_index AS "chunkIndex", left(c.content, ${CHUNK_CHARS}) AS content, c.start, c."end"
     FROM ${IDS} JOIN mementor.chunks c ON c.project_id = :project AND c.chunk_id = j.value
     ORDER BY c.turn_id, c.chunk_index`,
    json(chunkIds),
  );
}
