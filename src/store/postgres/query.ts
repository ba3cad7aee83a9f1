import type { SQL } from "bun";
import { storable } from "./text.ts";

export type Value = string | number | boolean | Uint8Array | null;

/** What runs statements: a connection of the pool, or a transaction. Open it with `bigint: true`. */
export type Runner = Pick<SQL, "unsafe">;

/**
 * Statements on one project of a team's database. In SQL, `?` stands for the next parameter, as in the SQLite files, and
 * `:project` for the project's id. Rows have numbers where PostgreSQL has 64-bit integers.
 */
export interface Database {
  all<Row>(sql: string, ...params: readonly Value[]): Promise<Row[]>;
  /** The first row; null when there is none. */
  get<Row>(sql: string, ...params: readonly Value[]): Promise<Row | null>;
}

type Method = (...args: never[]) => Promise<unknown>;

/** What a method of the store does on a database. */
export type Query<Of extends Method> = (
  database: Database,
  ...args: Parameters<Of>
) => Promise<Awaited<ReturnType<Of>>>;

export function databaseOf(runner: Runner, project: number): Database {
  const all = async <Row>(sql: string, ...params: readonly Value[]) => {
    const { text, values } = numbered(sql, params, project);
    return [...(await runner.unsafe(text, values))].map(withNumbers) as Row[];
  };
  return {
    all,
    get: async <Row>(sql: string, ...params: readonly Value[]) => (await all<Row>(sql, ...params))[0] ?? null,
  };
}

/** Runs queries that must see one unchanging view of the data. */
export function snapshot<T>(
  sql: Pick<SQL, "begin">,
  project: number,
  read: (database: Database) => Promise<T>,
): Promise<T> {
  return sql.begin("isolation level repeatable read read only", (transaction) =>
    read(databaseOf(transaction, project)),
  ) as Promise<T>;
}

const PLACEHOLDERS = /'(?:[^']|'')*'|(?<!:):project\b|\?/g;

/** Numbers the placeholders as PostgreSQL wants them. */
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

function withNumbers(row: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(row)) if (typeof value === "bigint") row[name] = Number(value);
  return row;
}
