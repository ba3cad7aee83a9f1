import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { TEAM_SYNC } from "../constants.ts";
import { ensurePrivateDir } from "../io/directory.ts";
import { statIfExists } from "../io/read.ts";
import { writeAtomic } from "../io/write.ts";

/**
 * The file beside the queue that tells hooks, which know nothing of teams, that a sync waits for a worker: its time
 * says when the sync is due. Without it nothing waits.
 */
function dueFile(directory: string): string {
  return join(directory, "queue", "sync.due");
}

/** Notes when the next sync is due; null when none waits. */
export function noteSyncDue(directory: string, at: Date | null): void {
  const file = dueFile(directory);
  if (at === null) {
    rmSync(file, { force: true });
    return;
  }
  ensurePrivateDir(join(directory, "queue"));
  writeAtomic(file, "", { mode: 0o600, replace: true, sync: false });
  utimesSync(file, at, at);
}

/** Whether a sync waits and is due. One that lies further ahead than any pause says that the clock was set back. */
export function isSyncDue(directory: string, now: Date): boolean {
  const dueMs = statIfExists(dueFile(directory))?.mtimeMs;
  if (dueMs === undefined) return false;
  const waitsMs = dueMs - now.getTime();
  return waitsMs <= 0 || waitsMs > TEAM_SYNC.maxPauseMs;
}
