import { WORKER_VARIABLE } from "../constants.ts";
import type { Host } from "../host.ts";

/** Starts this program again, apart from its parent: in a session of its own, it outlives it and ends by itself. */
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
