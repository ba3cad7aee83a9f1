import { existsSync } from "node:fs";
import { catalog } from "../assets/catalog.ts";
import type { Target } from "../assets/target.ts";

/** Installs the packages of other platforms when an asset of the target is missing. */
export function ensurePackages(target: Target): void {
  if (missing(target).length === 0) return;
  const { exitCode } = Bun.spawnSync(
    [process.execPath, "install", "--frozen-lockfile", "--ignore-scripts", "--os=*", "--cpu=*"],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  const left = missing(target);
  if (exitCode !== 0 || left.length > 0)
    throw new Error(`cannot install the packages for ${target}; missing: ${left.join(", ") || "nothing"}`);
}

function missing(target: Target): string[] {
  return catalog(target).flatMap(({ source }) => (source === null || existsSync(source) ? [] : [source]));
}
