import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { TEAM_SYNC, WORKER_VARIABLE } from "../constants.ts";
import type { Host } from "../host.ts";
import { statIfExists } from "../io/read.ts";
import { ensurePrivateDir, writeAtomic } from "../io/write.ts";

/** Held, beside the database, by a worker as long as it works. */
export const WORKER_LOCK = "worker.lock";

/** Held, beside the database, by a worker that waits for a calm machine. */
export const PAUSED_LOCK = "paused.lock";

/** Held by a process that embeds at once all that waits. A worker then leaves that to it. */
export const EMBED_NOW_LOCK = "embed-now.lock";

/** Held, beside the database, by a process that syncs with the team. */
export const SYNC_LOCK = "sync.lock";

/** Held, beside the database, by a process that syncs through a folder. */
export const FOLDER_LOCK = "folder.lock";

/** Starts this program again as a worker. It runs in a session of its own, outlives its parent and ends by itself. */
export function startWorker(host: Host, projectRoot: string, options: readonly string[] = []): void {
  const [program = "", ...args] = host.self;
  const child = Bun.spawn([program, ...args, "work", ...options], {
    cwd: projectRoot,
    env: { ...host.env, [WORKER_VARIABLE]: "1" },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    detached: true,
  });
  child.unref();
}

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
