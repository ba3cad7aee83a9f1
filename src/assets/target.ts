import { readFileSync } from "node:fs";

/**
 * The machines that mementor is built for. Linux without a suffix is glibc 2.28 or newer; `baseline` is for processors
 * without AVX2.
 */
export const TARGETS = [
  "linux-x64",
  "linux-x64-baseline",
  "linux-arm64",
  "linux-x64-musl",
  "linux-arm64-musl",
  "darwin-arm64",
  "darwin-x64",
  "windows-x64",
] as const;

export type Target = (typeof TARGETS)[number];

/** Returns the target of a `process.platform` and `process.arch`, or null when mementor is not built for it. */
function targetOf(platform: string, arch: string, isMusl = false): Target | null {
  const name = `${platform === "win32" ? "windows" : platform}-${arch}${isMusl ? "-musl" : ""}`;
  return TARGETS.find((target) => target === name) ?? null;
}

/** Returns the target of this machine. */
export function hostTarget(): Target | null {
  return targetOf(process.platform, process.arch, runsOnMusl());
}

function runsOnMusl(): boolean {
  if (process.platform !== "linux") return false;
  try {
    return readFileSync("/proc/self/maps", "utf8").includes("/ld-musl-");
  } catch {
    return false;
  }
}
