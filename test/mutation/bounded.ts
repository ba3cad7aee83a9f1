import { existsSync, readFileSync } from "node:fs";
import { $ } from "bun";

/** Why a process was killed before its end. */
export type Stopped = "time" | "memory";

export interface Ended {
  /** Null where the process was killed. */
  exitCode: number | null;
  /** The bound that the process went over. */
  stopped: Stopped | null;
  stderr: string;
  ms: number;
}

export interface Bounds {
  timeoutMs: number;
  /** Bytes that the process itself may hold in memory. Its address space says nothing: JavaScriptCore reserves gigabytes. */
  maxMemory: number;
}

/** A process that allocates in a loop takes about a gigabyte a second. */
const LOOK_EVERY_MS = 100;

/** Runs a command until it ends or goes over a bound, for which it is killed. */
export async function runBounded(
  command: readonly string[],
  { timeoutMs, maxMemory }: Bounds,
  { cwd, env }: { cwd: string; env: Record<string, string | undefined> },
): Promise<Ended> {
  const startedAt = performance.now();
  const child = Bun.spawn([...command], {
    cwd,
    env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  let stopped: Stopped | null = null;
  const stop = (why: Stopped) => {
    stopped ??= why;
    child.kill("SIGKILL");
  };
  const timer = setTimeout(() => stop("time"), timeoutMs);
  const watch = setInterval(async () => {
    if ((await memoryOf(child.pid)) > maxMemory) stop("memory");
  }, LOOK_EVERY_MS);
  try {
    const [stderr] = await Promise.all([child.stderr.text(), child.exited]);
    return { exitCode: child.exitCode, stopped, stderr, ms: performance.now() - startedAt };
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
  }
}

/** Returns the resident memory of a process, bytes; 0 when it has ended. */
async function memoryOf(pid: number): Promise<number> {
  if (!existsSync("/proc/self/status")) {
    const { stdout } = await $`ps -o rss= -p ${pid}`.quiet().nothrow();
    return Number(stdout.toString()) * 1024;
  }
  try {
    const [, kilobytes = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}
