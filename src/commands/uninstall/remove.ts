import { rmdirSync } from "node:fs";
import { basename, dirname, win32 } from "node:path";
import type { Host } from "../../host.ts";
import { SYSTEM } from "../../io/system.ts";
import type { UninstallProblem } from "./hooks.ts";

/**
 * Removes files and directories, and directories above them that are empty then and bear our name. On Windows the program
 * that runs cannot delete its own file: that is moved to the temporary directory, and deleted after this process has ended.
 */
export function removePaths(paths: readonly string[], host: Host): { problems: UninstallProblem[] } {
  const problems: UninstallProblem[] = [];
  const moved: string[] = [];
  for (const path of paths) {
    try {
      // Another drive takes no file by a new name, so the home directory is the second choice.
      moved.push(...SYSTEM.retire(path, [host.tempDir, host.homeDir]));
      removeEmpty(dirname(path));
    } catch (error) {
      problems.push({ place: path, problem: error instanceof Error ? error.message : String(error) });
    }
  }
  for (const file of moved) deleteLater(file, host);
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

/** Tries each second, for ten minutes: a server of another agent may run from the file, too. */
const TRIES = 600;

/** Starts a process that deletes a file of a temporary name as soon as no program runs from it. */
function deleteLater(file: string, { env }: Host): void {
  const system = win32.join(env.SystemRoot ?? env.SYSTEMROOT ?? "C:\\Windows", "System32");
  // The name alone, which we made: nothing of it means anything to cmd.
  const name = basename(file);
  const pause = `"${win32.join(system, "ping.exe")}" -n 2 127.0.0.1 >nul`;
  const line = `for /l %i in (1,1,${TRIES}) do @if exist ${name} (del /f /q ${name} & ${pause})`;
  Bun.spawn([win32.join(system, "cmd.exe"), "/d", "/s", "/c", `"${line}"`], {
    env: { ...env },
    cwd: dirname(file),
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
    windowsHide: true,
    windowsVerbatimArguments: true,
  }).unref();
}
