import { cpus, setPriority } from "node:os";
import { isOnBattery } from "./power.ts";

/** Processor time of all cores since the machine started, ms. */
export interface CpuTimes {
  busy: number;
  total: number;
}

/** What background work needs to know of the machine, and how it makes way for other programs. */
export interface Machine {
  /** Monotonic clock, ms. */
  elapsedMs(): number;
  cpuTimes(): CpuTimes;
  /** Processor time of this process, all threads, ms. */
  ownCpuMs(): number;
  isOnBattery(): Promise<boolean>;
  /** Gives this process the lowest priority. Threads that it starts later have the same. */
  lowerPriority(): void;
}

/** The lowest priority. */
const NICE = 19;

/** Commands that lower the priority of reading and writing, and on macOS keep a process on the efficient cores. */
const LOWER: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["ionice", "-c", "3", "-p"],
  darwin: ["taskpolicy", "-b", "-p"],
};

/** Returns the machine that this process runs on. Some containers tell nothing of their processors: then no time is known. */
export function thisMachine(platform: NodeJS.Platform, readCores: typeof cpus = cpus): Machine {
  return {
    elapsedMs: () => performance.now(),
    cpuTimes: () => sumOf(attempt(readCores) ?? []),
    ownCpuMs() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    isOnBattery: () => isOnBattery(platform),
    lowerPriority() {
      // Some systems do not allow this, or do not have the command. The work is the same.
      attempt(() => setPriority(NICE));
      const command = LOWER[platform];
      if (command)
        attempt(() => Bun.spawnSync([...command, String(process.pid)], { stdio: [null, null, null] }));
    },
  };
}

/** Adds up the times of all cores. */
export function sumOf(
  cores: readonly { times: Record<"user" | "nice" | "sys" | "idle" | "irq", number> }[],
): CpuTimes {
  const sum = { busy: 0, total: 0 };
  for (const { times } of cores) {
    const busy = times.user + times.nice + times.sys + times.irq;
    sum.busy += busy;
    sum.total += busy + times.idle;
  }
  return sum;
}

function attempt<T>(action: () => T): T | null {
  try {
    return action();
  } catch {
    return null;
  }
}
