import { Database } from "bun:sqlite";
import { chmodSync, closeSync, existsSync, linkSync, openSync, rmSync, statSync } from "node:fs";
import { MementorError } from "../../../errors.ts";
import { SYSTEM } from "../../../io/system.ts";
import { cannotWrite, mapLocklessError, mapSqliteError } from "../connection/errors.ts";
import { CLEAN, type DatabaseKind, databaseKind, INDEXED_META, refusalError } from "../connection/version.ts";
import { copyInMemory, isLockless, isReadable, notUpdatable, onlyReadable, openReader } from "./reader.ts";

export type OpenMode = "readwrite" | "readonly" | "create";

interface OpenRequest {
  file: string;
  mode: OpenMode;
  busyTimeoutMs: number;
  now: () => string;
  /** Rejects a database of another memory with `db_foreign`. When absent, any database is accepted. */
  identity?: ExpectedIdentity | undefined;
}

/**
 * Cache size in KiB of a writing connection, since it writes at random places. Readers keep SQLite's 2 MB: allocating a page
 * takes longer than reading one again.
 */
const CACHE_KIB = 16 * 1024;

// Writing a turn takes more than the 20 statements that Bun keeps, so it would prepare the rest again for each turn.
Database.MAX_QUERY_CACHE_SIZE = 200;

/**
 * Opens a database file. Creates or migrates it first if the mode allows.
 *
 * @throws `not_found` for a missing file in a mode that does not create it; `db_newer`, `db_foreign`, `db_corrupt`, `db_locked`
 * or `not_writable` when it cannot be opened.
 */
export async function openDatabase(options: OpenRequest): Promise<Database> {
  const { file, mode, identity } = options;
  try {
    if (isMissing(file)) {
      if (mode !== "create") throw missing(file);
      await createFile(file, identity?.id);
    }
    return await openExisting(options);
  } catch (error) {
    if (mode !== "readonly" && cannotWrite(error) && isReadable(file)) throw onlyReadable(file, error);
    throw mapSqliteError(error, file);
  }
}

async function openExisting(options: OpenRequest): Promise<Database> {
  const readonly = options.mode === "readonly";
  const db = connect(options.file, readonly, options.busyTimeoutMs);
  try {
    const found = databaseKind(db);
    const error = refusalError(found, options.file) ?? strangerError(db, options.file, options.identity);
    if (error !== null) {
      if (!readonly) closeUntouched(db, options.file);
      throw error;
    }
    if (found.kind === "current") return adopted(db, options);
    if (readonly) return await updatedReader(db, found, options);
    const { migrateDatabase } = await import("../connection/migrate.ts");
    migrateDatabase(db, options.file, options.now);
    return adopted(db, options);
  } catch (error) {
    db.close();
    throw isLockless(db) ? mapLocklessError(error, options.file) : error;
  }
}

/** Upgrades an older database, or a copy in memory if it is not writable. Closes the given connection. */
async function updatedReader(db: Database, found: DatabaseKind, options: OpenRequest): Promise<Database> {
  const { file, busyTimeoutMs, now } = options;
  try {
    (await openExisting({ ...options, mode: "readwrite" })).close();
    db.close();
    return connect(file, true, busyTimeoutMs);
  } catch (error) {
    if (!cannotWrite(error)) throw error;
    // A database of the Rust tool is first copied to a file beside it.
    if (found.kind !== "older") throw notUpdatable(file);
    const copy = copyInMemory(db, file);
    db.close();
    const { migrateDatabase } = await import("../connection/migrate.ts");
    migrateDatabase(copy, file, now);
    copy.run("PRAGMA query_only = 1");
    return copy;
  }
}

function adopted(db: Database, { identity, mode }: OpenRequest): Database {
  if (identity?.adopt && mode !== "readonly") writeIdentity(db, identity.id);
  return db;
}

function connect(file: string, readonly: boolean, busyTimeoutMs: number): Database {
  const db = readonly
    ? openReader(file, busyTimeoutMs)
    : new Database(file, { readwrite: true, strict: true });
  if (!readonly) db.run(`PRAGMA busy_timeout = ${Math.max(0, Math.trunc(busyTimeoutMs))}`);
  db.run("PRAGMA synchronous = NORMAL");
  db.run("PRAGMA foreign_keys = ON");
  if (!readonly) db.run(`PRAGMA cache_size = -${CACHE_KIB}`);
  return db;
}

/**
 * Closes a connection without touching the write-ahead log. The last connection to close copies the log into the database, unless
 * that connection is read-only.
 */
export function closeUntouched(db: Database, file: string): void {
  const keeper = new Database(file, { readonly: true });
  try {
    // SQLite counts a connection as open only after its first read.
    keeper.query("PRAGMA user_version").get();
  } finally {
    db.close();
    keeper.close();
  }
}

function isMissing(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

function missing(file: string): MementorError {
  return new MementorError("not_found", `no database at ${file}`, {
    hint: 'Check the path after --db. The memory of a project is made anew by "mementor enable".',
  });
}

// The database is created under another name and then linked: of several first runs one wins, and no process sees an incomplete
// database.
async function createFile(file: string, identity: string | undefined): Promise<void> {
  const { createSchema } = await import("../connection/migrate.ts");
  const draft = `${file}.${process.pid}-${crypto.randomUUID().slice(0, 8)}.new`;
  try {
    closeSync(openSync(draft, "wx", 0o600));
    const db = new Database(draft, { readwrite: true });
    try {
      createSchema(db);
      db.run("INSERT INTO meta (key, value) VALUES (?, ?), (?, ?)", [...CLEAN, ...INDEXED_META]);
      if (identity !== undefined) writeIdentity(db, identity);
    } finally {
      db.close();
    }
    chmodSync(draft, 0o600);
    putInPlace(draft, file);
  } finally {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(draft + suffix, { force: true });
  }
}

function putInPlace(draft: string, file: string): void {
  if (existsSync(file)) {
    if (isMissing(file)) SYSTEM.rename(draft, file);
    return;
  }
  try {
    linkSync(draft, file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST") return;
    // This file system has no hard links.
    if (!existsSync(file)) SYSTEM.rename(draft, file);
  }
}

/** The random name of the memory that a database belongs to. With `adopt`, a database of another memory gets this name. */
export interface ExpectedIdentity {
  id: string;
  adopt: boolean;
}

/** Returns the name stored in a database; null when there is none, as in a database of the Rust tool. */
function readIdentity(db: Database): string | null {
  const hasMeta = db.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'").get();
  if (hasMeta === null) return null;
  const row = db.query<{ value: unknown }, []>("SELECT value FROM meta WHERE key = 'identity'").get();
  return typeof row?.value === "string" ? row.value : null;
}

export function writeIdentity(db: Database, id: string): void {
  db.query(
    "INSERT INTO meta (key, value) VALUES ('identity', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  ).run(id);
}

/** Returns the error for another memory's database in this place; null when the database may be used. */
function strangerError(
  db: Database,
  file: string,
  expected: ExpectedIdentity | undefined,
): MementorError | null {
  if (!expected || expected.adopt || readIdentity(db) === expected.id) return null;
  return notMadeHere(file);
}

/** Returns the error for a memory or database that another user may have created. */
function notMadeHere(path: string): MementorError {
  return new MementorError("db_foreign", `${path} was not made here, so it is not read`, {
    hint: 'Whoever made it could tell an agent anything. If it is yours, take it over with "mementor enable --adopt", or name the database with "--db".',
  });
}
