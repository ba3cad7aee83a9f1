import { rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { SYSTEM } from "../../io/system.ts";
import type { UninstallProblem } from "./hooks.ts";

/** Removes files and directories, and directories above them that are empty then and bear our name. */
export function removePaths(paths: readonly string[]): { problems: UninstallProblem[] } {
  const problems: UninstallProblem[] = [];
  for (const path of paths) {
    try {
      SYSTEM.remove(path);
      removeEmpty(dirname(path));
    } catch (error) {
      problems.push({ place: path, problem: error instanceof Error ? error.message : String(error) });
    }
  }
  return { problems };
}

function removeEmpty(directory: string): void {
  if (!/[\\/]mementor$/.test(directory)) return;
  try {
    rmdirSync(directory);
  } catch {
    // Something is left in it.
  }
}
