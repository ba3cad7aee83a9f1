import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readIfExists } from "./read.ts";

/** Whether the machine runs on its battery. False where this cannot be found out. */
export async function isOnBattery(platform: NodeJS.Platform): Promise<boolean> {
  try {
    if (platform === "linux") return isDischarging("/sys/class/power_supply");
    if (platform === "darwin") return isBatteryPower(await outputOf(["pmset", "-g", "batt"]));
    if (platform === "win32") return isOffline(await windowsPowerStatus());
  } catch {
    // An unknown source of power is like mains: the work is the same.
  }
  return false;
}

/**
 * Reads Linux' list of power supplies. A machine with a charger that is plugged in is not on battery, and neither is one
 * that has only batteries of its devices, such as a mouse's.
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

/** Reads the output of macOS' `pmset -g batt`. */
export function isBatteryPower(output: string): boolean {
  return output.includes("'Battery Power'");
}

/** Reads Windows' SYSTEM_POWER_STATUS: the first byte is 0 when no charger is plugged in. */
export function isOffline(status: Uint8Array): boolean {
  return status[0] === 0;
}

async function windowsPowerStatus(): Promise<Uint8Array> {
  const { dlopen, ptr } = await import("bun:ffi");
  const library = dlopen("kernel32.dll", { GetSystemPowerStatus: { args: ["ptr"], returns: "i32" } });
  // 255 stands for an unknown source.
  const status = new Uint8Array(12).fill(255);
  library.symbols.GetSystemPowerStatus(ptr(status));
  library.close();
  return status;
}

async function outputOf(command: string[]): Promise<string> {
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "ignore" });
  return child.stdout.text();
}
