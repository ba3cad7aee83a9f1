import { constants, Database } from "bun:sqlite";
import { sep } from "node:path";
import { pathToFileURL } from "node:url";
import { statIfExists } from "../../io/read.ts";

/** What a database's files look like while it is read. */
interface Files {
  /** A process has it open, or had it open when it was killed. */
  isShared: boolean;
  /** Transactions that are not in the main file yet. */
  hasLog: boolean;
  stamp: string;
}

/** How often a read is tried while another process opens or closes the database. */
const MAX_TRIES = 3;
/** SQLite's access to files without locks, which it has beside the ordinary one. */
const NO_LOCKS = sep === "\\" ? "win32-none" : "unix-none";
const FLAGS = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;

/**
 * Reads a SQLite database of another program as it is now, with what stands in its write-ahead log. Nothing is written:
 * neither the database nor its log nor the memory that its processes share. The other program can go on writing at the same
 * time. Returns null when there is no such database; throws SQLite's error when it cannot be read.
 */
export function readDatabase<T>(file: string, read: (database: Database) => T): T | null {
  for (let tries = 1; ; tries++) {
    const before = filesOf(file);
    if (before === null) return null;
    try {
      const result = readAs(file, before, read);
      // Without shared memory there is no lock either: what was read is right only if nothing has changed meanwhile.
      if (before.isShared || tries === MAX_TRIES || filesOf(file)?.stamp === before.stamp) return result;
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
    }
  }
}

function readAs<T>(file: string, { isShared, hasLog }: Files, read: (database: Database) => T): T {
  const uri = `${pathToFileURL(file).href}?mode=ro`;
  // Shared memory is mapped read-only; a log that nobody shares is indexed in our own memory, which takes exclusive access.
  const way = isShared ? "&readonly_shm=1" : hasLog ? `&vfs=${NO_LOCKS}` : "&immutable=1";
  const database = new Database(uri + way, FLAGS);
  try {
    if (!isShared && hasLog) database.run("PRAGMA locking_mode = EXCLUSIVE");
    return database.transaction(() => read(database))();
  } finally {
    database.close();
  }
}

function filesOf(file: string): Files | null {
  const [main, log, shared] = ["", "-wal", "-shm"].map((suffix) => statIfExists(file + suffix));
  if (!main?.isFile()) return null;
  return {
    isShared: shared != null,
    hasLog: (log?.size ?? 0) > 0,
    stamp: [main, log, shared].map((stats) => stats && `${stats.size} ${stats.mtimeMs}`).join(" | "),
  };
}
