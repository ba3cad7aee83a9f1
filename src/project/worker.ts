import { WORKER_VARIABLE } from "../constants.ts";
import type { Host } from "../host.ts";

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
