import { Database } from "bun:sqlite";
import { MementorError } from "../../../errors.ts";
import { statIfExists } from "../../../io/read.ts";
import { cannotWrite } from "../connection/errors.ts";

/** `SQLITE_OPEN_READONLY` and `SQLITE_OPEN_URI`. */
const READ_BY_URI = 0x01 | 0x40;

/** The SQLite VFS that takes no locks. */
const WITHOUT_LOCKS = process.platform === "win32" ? "win32-none" : "unix-none";

/** Maximum size in bytes of an older database to upgrade in memory, because each read repeats the upgrade. */
const MAX_IN_MEMORY = 256 * 1024 * 1024;

/**
 * Opens a database for reading without writing to its disk if necessary. SQLite normally puts a shared index beside a database in
 * WAL mode. If that cannot be written (a read-only disk, an agent's sandbox, a full disk), the database is read without the index
 * and without locks.
 *
 * @throws the error of SQLite when the database cannot be read either way.
 */
export function openReader(file: string, busyTimeoutMs = 0): Database {
  let db: Database | undefined;
  try {
    db = new Database(file, { readonly: true, strict: true });
    db.run(`PRAGMA busy_timeout = ${Math.max(0, Math.trunc(busyTimeoutMs))}`);
    touch(db);
    return db;
  } catch (error) {
    db?.close();
    if (!cannotWrite(error)) throw error;
    return readerWithoutWriting(file) ?? fail(error);
  }
}

/** Tells whether a database can be read, even if nothing can be written. */
export function isReadable(file: string): boolean {
  try {
    openReader(file).close();
    return true;
  } catch {
    return false;
  }
}

/** Returns the error for a database that can be read but not written. */
export function onlyReadable(file: string, cause: unknown): MementorError {
  return new MementorError("not_writable", `the database can be read, but not written to: ${file}`, {
    hint: "Its disk is read-only or full, or a sandbox prevents writing there.",
    cause,
  });
}

/** Opens a database without writing anything; null when it cannot be read. */
function readerWithoutWriting(file: string): Database | null {
  // An immutable database is read without its log, which may contain the newest rows.
  const hasLog = (statIfExists(`${file}-wal`)?.size ?? 0) > 0;
  const how = hasLog ? `vfs=${WITHOUT_LOCKS}` : "immutable=1";
  let db: Database | undefined;
  try {
    db = new Database(`${Bun.pathToFileURL(file)}?${how}`, READ_BY_URI);
    // In this mode, the log's index is in this process's memory.
    if (hasLog) db.run("PRAGMA locking_mode = EXCLUSIVE");
    // There may be no place for a large sort, either.
    db.run("PRAGMA temp_store = MEMORY");
    touch(db);
    return db;
  } catch {
    db?.close();
    return null;
  }
}

/** Tells whether a database was opened without locks. Its name is then a URI, not the path of its file. */
export function isLockless(db: Database): boolean {
  return db.filename.startsWith("file:");
}

/** Reads the first page. Until then, nothing but the file is open. */
function touch(db: Database): void {
  db.query("PRAGMA user_version").get();
}

function fail(error: unknown): never {
  throw error;
}

/** Copies a database into memory, where it can be upgraded. Throws `not_writable` for a large one. */
export function copyInMemory(db: Database, file: string): Database {
  const { bytes } = db
    .query<{ bytes: number }, []>(
      "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size",
    )
    .get() ?? { bytes: 0 };
  if (bytes > MAX_IN_MEMORY) throw notUpdatable(file);
  const copy = db.serialize();
  // Clears the header bytes that say "WAL", a mode that a database in memory cannot have.
  copy.set([1, 1], 18);
  return Database.deserialize(copy, { strict: true });
}

/** Returns the error for an older database that can only be upgraded in place. */
export function notUpdatable(file: string): MementorError {
  return new MementorError(
    "not_writable",
    `the database is of an older version and cannot be written to: ${file}`,
    {
      hint: 'Run "mementor status" once where it can be written to: that brings it up to date.',
    },
  );
}
