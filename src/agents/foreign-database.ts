import type { Database, SQLQueryBindings } from "bun:sqlite";
import { sep } from "node:path";
import { MementorError } from "../errors.ts";
import { asObject, type JsonObject } from "../io/json.ts";
import { statIfExists } from "../io/read.ts";
import { loadSqlite } from "../io/sqlite.ts";

/** The state of a database's files at the time of reading. */
interface Files {
  /** True when a process has the database open, or was killed while it had. */
  isShared: boolean;
  /** True when some transactions are not in the main file yet. */
  hasLog: boolean;
  /** True when a transaction is being written into the main file, or was when its process was killed. */
  isChanging: boolean;
  stamp: string;
}

/** Number of attempts to read while another process opens or closes the database. */
const MAX_TRIES = 3;
/** SQLite VFS without locks. */
const NO_LOCKS = sep === "\\" ? "win32-none" : "unix-none";

/**
 * Reads the current state of another program's SQLite database, including its write-ahead log. Writes nothing: neither the
 * database nor its log nor the memory that its processes share. The other program can continue to write. Returns null when there
 * is no database. Throws SQLite's error when it cannot be read.
 */
export function readDatabase<T>(file: string, read: (database: Database) => T): T | null {
  for (let tries = 1; ; tries++) {
    const before = filesOf(file);
    if (before === null) return null;
    try {
      const result = readAs(file, before, read);
      // Without shared memory there is no lock. The result is valid only if nothing has changed meanwhile.
      if (before.isShared || tries === MAX_TRIES || filesOf(file)?.stamp === before.stamp) return result;
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
    }
  }
}

function readAs<T>(
  file: string,
  { isShared, hasLog, isChanging }: Files,
  read: (database: Database) => T,
): T {
  // A lock would keep the other program waiting.
  if (isChanging) throw new Error("the database is being written to");
  const { Database, constants } = loadSqlite();
  const uri = `${Bun.pathToFileURL(file).href}?mode=ro`;
  // Maps shared memory read-only. A log that no process shares is indexed in private memory, which needs exclusive
  // access.
  const way = isShared ? "&readonly_shm=1" : hasLog ? `&vfs=${NO_LOCKS}` : "&immutable=1";
  using database = new Database(uri + way, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
  if (!isShared && hasLog) database.run("PRAGMA locking_mode = EXCLUSIVE");
  requirePlainTables(database);
  return database.transaction(() => read(database))();
}

/**
 * Throws if a name may belong to a view or a computed column, which no agent writes. Such a database could make a query run
 * without end, or yield a row of any size.
 */
function requirePlainTables(database: Database): void {
  const computed = database
    .query<{ name: string }, []>(
      `SELECT s.name FROM sqlite_schema s WHERE s.type = 'view' OR
         s.type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_xinfo(s.name) x WHERE x.hidden > 1) LIMIT 1`,
    )
    .get();
  if (computed !== null)
    throw new MementorError("db_foreign", `${computed.name} is a view, or has computed columns`);
}

/** Throws if a table lacks the index on a column that agents create. Each of many queries would then read the whole table. */
export function requireIndex(database: Database, table: string, column: string): void {
  const isThere = database
    .query(
      `SELECT 1 FROM pragma_index_list(?) l WHERE NOT l.partial
         AND (SELECT x.name FROM pragma_index_info(l.name) x WHERE x.seqno = 0) = ?`,
    )
    .get(table, column);
  if (isThere === null)
    throw new MementorError("db_foreign", `the database has no index of ${table} by ${column}`);
}

/** Maximum size of a value in bytes; no message of an agent is larger. */
const MAX_VALUE_BYTES = 32 << 20;
/** Maximum characters or bytes to read of one session. */
export const SESSION_SIZE = 256 << 20;

/** Returns the SQL condition that a column's value is small enough to read. Its size is in the row's header. */
export function isReadable(column: string): string {
  return `octet_length(${column}) <= ${MAX_VALUE_BYTES}`;
}

/** Yields the rows of a query, up to the maximum size of a session. */
export function* queryRows(
  database: Database,
  sql: string,
  ...bindings: SQLQueryBindings[]
): Generator<JsonObject> {
  let size = 0;
  for (const row of database.query(sql).iterate(...bindings)) {
    for (const value of Object.values(row ?? {}))
      size += typeof value === "string" || value instanceof Uint8Array ? value.length : 8;
    if (size > SESSION_SIZE) return;
    const fields = asObject(row);
    if (fields !== null) yield fields;
  }
}

/** Reads a database like `readDatabase`; null when that fails, which the agent's reader will report. */
export function tryDatabase<T>(file: string, read: (database: Database) => T): T | null {
  try {
    return readDatabase(file, read);
  } catch {
    return null;
  }
}

function filesOf(file: string): Files | null {
  const [main, log, shared, journal] = ["", "-wal", "-shm", "-journal"].map((suffix) =>
    statIfExists(file + suffix),
  );
  if (!main?.isFile()) return null;
  return {
    isShared: shared != null,
    hasLog: (log?.size ?? 0) > 0,
    isChanging: (journal?.size ?? 0) > 0,
    stamp: [main, log, shared, journal].map((stats) => stats && `${stats.size} ${stats.mtimeMs}`).join(" | "),
  };
}
