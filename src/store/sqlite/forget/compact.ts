import { type Connection, readMeta, removeMeta, writeMeta } from "../connection/connection.ts";

/** Interval of checks for processes that still read old pages, in ms. */
const POLL_MS = 50;

const DUE = "uncompacted";

/** Records that the file still contains bytes of removed data. */
export function markUncompacted(connection: Connection): void {
  writeMeta(connection, DUE, "1");
}

function needsCompact(connection: Connection): boolean {
  return readMeta(connection, DUE) !== null;
}

/**
 * Rewrites the database and its log without removed data. Returns false when another process still reads old pages after
 * `patienceMs`. The bytes then stay until a later call.
 */
async function compactDatabase(connection: Connection, patienceMs: number): Promise<boolean> {
  const until = performance.now() + patienceMs;
  if (!(await emptyLog(connection, until))) return false;
  // Deleted words stay in the index's segments until these are merged.
  connection.exec("INSERT INTO chunk_keywords (chunk_keywords) VALUES ('optimize')");
  connection.exec("INSERT INTO turn_keywords (turn_keywords) VALUES ('optimize')");
  connection.exec("VACUUM");
  if (!(await emptyLog(connection, until))) return false;
  removeMeta(connection, DUE);
  return true;
}

/**
 * Copies the log into the database and empties it. Returns false when a reader still needs the log at `until`. Sets a short
 * `busy_timeout`, so that this function decides when to give up instead of SQLite.
 */
async function emptyLog(connection: Connection, until: number): Promise<boolean> {
  const timeout = connection.get<{ timeout: number }>("PRAGMA busy_timeout")?.timeout ?? 0;
  connection.exec(`PRAGMA busy_timeout = ${POLL_MS}`);
  try {
    for (;;) {
      if (connection.get<{ busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)")?.busy !== 1) return true;
      if (performance.now() >= until) return false;
      await Bun.sleep(POLL_MS);
    }
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}

/** Returns the number of used bytes in the file. */
export function usedBytes(connection: Connection): number {
  const pragma = (name: string) => {
    const row = connection.get<Record<string, number>>(`PRAGMA ${name}`);
    return row?.[name] ?? 0;
  };
  return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
}

/** Operations on the file of a SQLite database. */
export interface DatabaseFile {
  /** Returns the number of used bytes. */
  usedBytes(): Promise<number>;
  /** Tells whether rows were removed since the file was last rewritten. */
  needsCompact(): Promise<boolean>;
  /**
   * Rewrites the file so that no byte of removed rows is left in the database's files. Returns false when another process still
   * reads the old rows after `patienceMs`; a later call tries again.
   */
  compact(patienceMs: number): Promise<boolean>;
}

export function databaseFile(connection: Connection): DatabaseFile {
  return {
    usedBytes: async () => usedBytes(connection),
    needsCompact: async () => needsCompact(connection),
    compact: (patienceMs) => compactDatabase(connection, patienceMs),
  };
}
