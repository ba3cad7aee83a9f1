import { readdirSync } from "node:fs";
import { cpus, setPriority } from "node:os";
import { join } from "node:path";
import { readIfExists } from "./read.ts";

/** Processor time of all cores since the machine started, ms. */
export interface CpuTimes {
  busy: number;
  total: number;
}

/** Measures the machine's load, and makes background work yield to other programs. */
export interface Machine {
  /** Monotonic clock, ms. */
  elapsedMs(): number;
  cpuTimes(): CpuTimes;
  /** Processor time of this process, all threads, ms. */
  ownCpuMs(): number;
  isOnBattery(): Promise<boolean>;
  /** Gives this process the lowest priority. Threads that it starts later inherit it. */
  lowerPriority(): void;
}

/** The lowest priority. */
const NICE = 19;

/** Commands that lower the I/O priority and, on macOS, keep a process on the efficiency cores. */
const LOWER: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["ionice", "-c", "3", "-p"],
  darwin: ["taskpolicy", "-b", "-p"],
};

/** Returns the machine of this process. In containers that hide their processors, its times are null. */
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
      // Some systems forbid this or lack the command. The work then runs at normal priority.
      attempt(() => setPriority(NICE));
      const command = LOWER[platform];
      if (command)
        attempt(() => Bun.spawnSync([...command, String(process.pid)], { stdio: [null, null, null] }));
    },
  };
}

/** Adds up the times of all cores. */
function sumOf(
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

/** Tells whether the machine runs on its battery. False when unknown. */
export async function isOnBattery(platform: NodeJS.Platform): Promise<boolean> {
  try {
    if (platform === "linux") return isDischarging("/sys/class/power_supply");
    if (platform === "darwin") return isBatteryPower(await outputOf(["pmset", "-g", "batt"]));
    if (platform === "win32") return isUnplugged(await windowsPowerStatus());
  } catch {
    // An unknown power source counts as mains power.
  }
  return false;
}

/**
 * Reads Linux's list of power supplies. A machine with a plugged-in charger, or with batteries only in devices such as a mouse,
 * is not on battery.
 */
export function isDischarging(directory: string): boolean {
  const supplies = readdirSync(directory).map((name) => {
    const read = (file: string) => (readIfExists(join(directory, name, file)) ?? "").trim();
    return {
      type: read("type"),
      scope: read("scope"),
      status: read("status"),
      online: read("online"),
    };
  });
  if (supplies.some(({ type, online }) => type !== "Battery" && online === "1")) return false;
  return supplies.some(
    ({ type, scope, status }) => type === "Battery" && scope !== "Device" && status === "Discharging",
  );
}

/** Parses the output of macOS's `pmset -g batt`. */
export function isBatteryPower(output: string): boolean {
  return output.includes("'Battery Power'");
}

/** Parses Windows's SYSTEM_POWER_STATUS: the first byte is 0 when no charger is plugged in. */
export function isUnplugged(status: Uint8Array): boolean {
  return status[0] === 0;
}

async function windowsPowerStatus(): Promise<Uint8Array> {
  const { dlopen, ptr } = await import("bun:ffi");
  const library = dlopen("kernel32.dll", { GetSystemPowerStatus: { args: ["ptr"], returns: "i32" } });
  // 255 means an unknown source.
  const status = new Uint8Array(12).fill(255);
  library.symbols.GetSystemPowerStatus(ptr(status));
  library.close();
  return status;
}

async function outputOf(command: string[]): Promise<string> {
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "ignore" });
  return child.stdout.text();
}
