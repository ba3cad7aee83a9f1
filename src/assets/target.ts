/** The machines that mementor is built for. */
export const TARGETS = ["linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64", "windows-x64"] as const;

export type Target = (typeof TARGETS)[number];

/** Returns the target of a `process.platform` and `process.arch`, or null when mementor is not built for it. */
export function targetOf(platform: string, arch: string): Target | null {
  const name = `${platform === "win32" ? "windows" : platform}-${arch}`;
  return TARGETS.find((target) => target === name) ?? null;
}
