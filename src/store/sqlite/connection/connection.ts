import type { Database, SQLQueryBindings } from "bun:sqlite";
import { MementorError } from "../../../errors.ts";
import { isLockless } from "../file/reader.ts";
import { mapLocklessError, mapSqliteError } from "./errors.ts";

export type Bindings = SQLQueryBindings[];

export interface ConnectionOptions {
  /** ISO 8601 in UTC. */
  now: () => string;
  /** Returns the user's 32-byte key for hashes of forgotten data. */
  tombstoneKey: () => Uint8Array;
  /** While it returns true, no statement starts, and each rejects with `timeout`. Never when absent. */
  isOver?: (() => boolean) | undefined;
  /**
   * Returns the reason why this program must not write: a newer version may have changed the tables since the database was
   * opened. Called within each writing transaction. Always null when absent.
   */
  refusal?: ((db: Database) => MementorError | null) | undefined;
}

/**
 * An open database that prepares and keeps statements, and throws only `MementorError`. Parameters are positional, or one object
 * with names: `{ time }` for `$time`.
 */
export class Connection {
  readonly db: Database;
  readonly file: string;
  readonly now: () => string;
  readonly tombstoneKey: () => Uint8Array;
  readonly #isOver: () => boolean;
  readonly #refusal: (db: Database) => MementorError | null;

  constructor(db: Database, file: string, { now, tombstoneKey, isOver, refusal }: ConnectionOptions) {
    this.db = db;
    this.file = file;
    this.now = now;
    this.tombstoneKey = tombstoneKey;
    this.#isOver = isOver ?? (() => false);
    this.#refusal = refusal ?? (() => null);
  }

  all<Row>(sql: string, ...params: Bindings): Row[] {
    return this.#guard(() => this.db.query<Row, Bindings>(sql).all(...params));
  }

  /** Returns the first column of each row. */
  column<Value>(sql: string, ...params: Bindings): Value[] {
    return this.#guard(() => this.db.query<Value[], Bindings>(sql).values(...params)).map(
      ([value]) => value as Value,
    );
  }

  get<Row>(sql: string, ...params: Bindings): Row | null {
    return this.#guard(() => this.db.query<Row, Bindings>(sql).get(...params));
  }

  /** Runs a statement and returns the number of changed rows and the last row id. */
  run(sql: string, ...params: Bindings): { changes: number; lastId: number } {
    if (!this.db.inTransaction) return this.transaction(() => this.run(sql, ...params));
    return this.#guard(() => {
      const { changes, lastInsertRowid } = this.db.query<unknown, Bindings>(sql).run(...params);
      return { changes, lastId: Number(lastInsertRowid) };
    });
  }

  /** Runs statements without parameters, or a statement that must not stay prepared. */
  exec(sql: string): void {
    this.#guard(() => this.db.run(sql));
  }

  /** Runs `work` in one write transaction, which commits or fails as a whole. */
  transaction<Result>(work: () => Result): Result {
    const checked = () => {
      const refusal = this.#refusal(this.db);
      if (refusal !== null) throw refusal;
      return work();
    };
    return this.#guard(() => this.db.transaction(checked).immediate());
  }

  /** Runs `work` on one unchanging view of the data. */
  snapshot<Result>(work: () => Result): Result {
    return this.#guard(() => this.db.transaction(work).deferred());
  }

  #guard<Result>(work: () => Result): Result {
    if (this.#isOver()) throw new MementorError("timeout", `no time left to use the database: ${this.file}`);
    try {
      return work();
    } catch (error) {
      const { db, file } = this;
      throw mapSqliteError(isLockless(db) ? mapLocklessError(error, file) : error, file);
    }
  }
}

type Method = (...args: never[]) => Promise<unknown>;

/** A method of the store as a function of a connection. The interface declares its arguments and result. */
export type Query<Of extends Method> = (
  connection: Connection,
  ...args: Parameters<Of>
) => Awaited<ReturnType<Of>>;

/**
 * Makes methods of queries. Each query sees one unchanging view of the data. Its code loads at the first call, because a hook
 * makes only one or two of twenty.
 */
export function onSnapshot<Store extends { [Name in keyof Store]: Method }>(
  connection: Connection,
  queries: { [Name in keyof Store]: () => Promise<Query<Store[Name]>> },
): Store {
  const method =
    <Of extends Method>(load: () => Promise<Query<Of>>) =>
    async (...args: Parameters<Of>) => {
      const query = await load();
      return connection.snapshot(() => query(connection, ...args));
    };
  const names = Object.keys(queries) as (keyof Store)[];
  return Object.fromEntries(names.map((name) => [name, method(queries[name])])) as Store;
}

/**
 * Runs transactions that change many rows each, with the statement journal in memory. By default, SQLite writes undo data of each
 * statement to temporary files, which takes a fifth of the time of storing received turns.
 */
export function withJournalInMemory<Result>(connection: Connection, work: () => Result): Result {
  connection.exec("PRAGMA temp_store = MEMORY");
  try {
    return work();
  } finally {
    connection.exec("PRAGMA temp_store = DEFAULT");
  }
}

/** Returns a value of the table `meta`; null when missing. */
export function readMeta(connection: Connection, key: string): string | null {
  return connection.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", key)?.value ?? null;
}

export function writeMeta(connection: Connection, key: string, value: string): void {
  connection.run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", key, value);
}

export function removeMeta(connection: Connection, key: string): void {
  connection.run("DELETE FROM meta WHERE key = ?", key);
}
