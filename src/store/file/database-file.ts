import type { Connection } from "../connection/connection.ts";
import { compact, needsCompact, usedBytes } from "../forget/compact.ts";

/** The file of a SQLite database. */
export interface DatabaseFile {
  /** Bytes of the database that hold something. */
  usedBytes(): Promise<number>;
  /** Whether something was removed since the file was last rewritten. */
  needsCompact(): Promise<boolean>;
  /**
   * Rewrites the file without what was removed: afterwards no byte of it is left in the database's files. Returns false
   * when another process still reads them after `patienceMs`; a later call tries again.
   */
  compact(patienceMs: number): Promise<boolean>;
}

export function databaseFile(connection: Connection): DatabaseFile {
  return {
    usedBytes: async () => usedBytes(connection),
    needsCompact: async () => needsCompact(connection),
    compact: (patienceMs) => compact(connection, patienceMs),
  };
}
