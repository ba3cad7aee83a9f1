import { MementorError } from "../../errors.ts";
import type { Connection } from "../connection/connection.ts";

/** How long other processes are waited for that still read the old pages, ms, and how often they are asked. */
const PATIENCE_MS = 15_000;
const POLL_MS = 50;

const DUE = "uncompacted";

/** Remembers that the file holds bytes of what was removed. */
export function markUncompacted(connection: Connection): void {
  connection.run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, '1')", DUE);
}

export function needsCompact(connection: Connection): boolean {
  return connection.get("SELECT 1 FROM meta WHERE key = ?", DUE) !== null;
}

/** Rewrites the database without what was removed, its log too. */
export async function compact(connection: Connection): Promise<void> {
  await emptyLog(connection);
  // Deleted words stay in the index' segments until these are merged.
  connection.exec("INSERT INTO chunk_keywords (chunk_keywords) VALUES ('optimize')");
  connection.exec("INSERT INTO turn_keywords (turn_keywords) VALUES ('optimize')");
  connection.exec("VACUUM");
  await emptyLog(connection);
  connection.run("DELETE FROM meta WHERE key = ?", DUE);
}

// A checkpoint that has to wait for readers says so instead of failing.
async function emptyLog(connection: Connection): Promise<void> {
  for (let waited = 0; ; waited += POLL_MS) {
    const row = connection.get<{ busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)");
    if (row?.busy !== 1) return;
    if (waited >= PATIENCE_MS) throw stillRead(connection.file);
    await Bun.sleep(POLL_MS);
  }
}

function stillRead(file: string): MementorError {
  return new MementorError(
    "db_locked",
    `forgotten, but its bytes are still in ${file}: another process is reading it`,
    { hint: 'Run "mementor forget --finish" when that process has ended.' },
  );
}

/** Returns how many bytes of the file hold something. */
export function usedBytes(connection: Connection): number {
  const pragma = (name: string) => {
    const row = connection.get<Record<string, number>>(`PRAGMA ${name}`);
    return row?.[name] ?? 0;
  };
  return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
}
