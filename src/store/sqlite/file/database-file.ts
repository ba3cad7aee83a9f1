import type { Connection } from "../connection/connection.ts";
import { compact, needsCompact, usedBytes } from "../forget/compact.ts";

/** The file of a SQLite database. */
export interface DatabaseFile {
  /** Bytes of the database in use. */
  usedBytes(): Promise<number>;
  /** Whether rows were removed since the file was last rewritten. */
  needsCompact(): Promise<boolean>;
  /**
   * Rewrites the file without removed rows, so that no byte of them is left in the database's files. Returns false when
   * another process still reads the old rows after `patienceMs`; a later call tries again.
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
