import type { Host } from "../host.ts";

/** Starts this program again, apart from Claude Code: it outlives the session and ends by itself. */
export function startWorker(host: Host, projectRoot: string): void {
  const [program = "", ...args] = host.self;
  const child = Bun.spawn([program, ...args, "work"], {
    cwd: projectRoot,
    env: { ...host.env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    detached: true,
  });
  child.unref();
}
