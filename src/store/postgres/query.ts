import type { Database, Statements, TransactionOptions } from "./client/database.ts";
import { writeRefusal } from "./schema/version.ts";
import { storable } from "./sql.ts";

export type Value = string | number | boolean | Uint8Array | null;

/**
 * Statements on one project of a team's database, in a transaction. In SQL, `?` stands for the next parameter, as in the
 * SQLite files, and `:project` for the project's id.
 */
export interface ProjectDatabase {
  readonly project: number;
  all<Row>(sql: string, ...params: readonly Value[]): Promise<Row[]>;
  /** The first column of each row. */
  column<First>(sql: string, ...params: readonly Value[]): Promise<First[]>;
  /** The first row; null when there is none. */
  get<Row>(sql: string, ...params: readonly Value[]): Promise<Row | null>;
  /** Returns the number of rows that were written. */
  run(sql: string, ...params: readonly Value[]): Promise<number>;
}

/** A project of a team's database. Each call of `work` is one transaction, and may be repeated. */
export interface TeamProject {
  readonly project: number;
  /** `work` sees one unchanging view of the data. */
  read<T>(work: (database: ProjectDatabase) => Promise<T>, options?: Limits): Promise<T>;
  /** Throws `db_newer` or `db_older` where the schema is not this program's. */
  write<T>(work: (database: ProjectDatabase) => Promise<T>, options?: Limits): Promise<T>;
}

type Limits = Pick<TransactionOptions, "timeoutMs" | "signal">;

type Method = (...args: never[]) => Promise<unknown>;

/** What a method of the store does on a database. */
export type Query<Of extends Method> = (
  database: ProjectDatabase,
  ...args: Parameters<Of>
) => Promise<Awaited<ReturnType<Of>>>;

export function projectOf(server: Database, project: number): TeamProject {
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

/** The project as a transaction that is open sees it: all reads are part of that one. */
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
  const all = <Row>(text: string, ...params: readonly Value[]) => {
    const { text: numberedText, values } = numbered(text, params, project);
    return sql.query<Row>(numberedText, values);
  };
  return {
    project,
    all,
    column: async <First>(text: string, ...params: readonly Value[]) =>
      (await all<Record<string, First>>(text, ...params)).flatMap((row) => Object.values(row).slice(0, 1)),
    get: async <Row>(text: string, ...params: readonly Value[]) =>
      (await all<Row>(text, ...params))[0] ?? null,
    run: async (text, ...params) => {
      const { text: numberedText, values } = numbered(text, params, project);
      return sql.run(numberedText, values);
    },
  };
}

const PLACEHOLDERS = /'(?:[^']|'')*'|(?<!:):project\b|\?/g;

/**
 * Numbers the placeholders as PostgreSQL wants them.
 *
 * @throws `RangeError` unless there are as many parameters as placeholders.
 */
export function numbered(
  sql: string,
  params: readonly Value[],
  project: number,
): { text: string; values: Value[] } {
  const values: Value[] = [];
  let next = 0;
  let place: string | undefined;
  const add = (value: Value) => `$${values.push(typeof value === "string" ? storable(value) : value)}`;
  const text = sql.replace(PLACEHOLDERS, (found) => {
    if (found.startsWith("'")) return found;
    if (found === "?") return add(params[next++] ?? null);
    place ??= add(project);
    return place;
  });
  if (next !== params.length) throw new RangeError(`${params.length} parameters for ${next} places: ${sql}`);
  return { text, values };
}
