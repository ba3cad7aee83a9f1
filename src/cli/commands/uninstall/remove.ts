import { rmdirSync } from "node:fs";
import { basename, dirname, win32 } from "node:path";
import { toMementorError } from "../../../errors.ts";
import type { Host } from "../../../host.ts";
import { SYSTEM } from "../../../io/system.ts";
import { findAt } from "../../../project/histories.ts";
import type { Runtime } from "../../../runtime.ts";
import { type DisableProblem, disableProject } from "../../../setup/disable.ts";
import { pluginDirectory } from "../../../setup/plugin/directory.ts";
import { uninstallPlugin } from "../../../setup/plugin/plugin.ts";
import { otherAgents, settingsContext } from "../../settings-context.ts";
import { isPluginInstalled } from "./found.ts";

/**
 * Leaves, where some hooks could not be taken out, what they and their settings need: the program, since Claude Code reports a
 * missing program of a hook in the exec form with each prompt, and the record of how the settings were before.
 */
export function withoutNeeded(
  leaving: readonly string[],
  hasHooks: boolean,
  needed: readonly string[],
): { going: string[]; kept: UninstallProblem[] } {
  if (!hasHooks) return { going: [...leaving], kept: [] };
  const isNeeded = (path: string) => needed.some((file) => SYSTEM.isWithin(file, path));
  const problem = "it stays, since hooks that need it could not be taken out";
  const kept = leaving.filter(isNeeded).map((place) => ({ place, problem }));
  return { going: leaving.filter((path) => !isNeeded(path)), kept };
}

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

type UninstallProblem = DisableProblem;

/**
 * Takes the hooks out of all projects and of the settings of all agents, and the plugin out of Claude Code. What fails
 * in one place stops nothing elsewhere.
 */
export async function disableEverywhere(
  runtime: Runtime,
  roots: readonly string[],
  purge: boolean,
): Promise<{ plugin: "removed" | "unchanged"; problems: UninstallProblem[] }> {
  const problems: UninstallProblem[] = [];
  const attempt = <T>(place: string, work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      problems.push({ place, problem: toMementorError(error).message });
      return null;
    }
  };
  const { host, paths } = runtime;
  const context = { ...settingsContext(runtime), ...otherAgents(host), now: host.now() };
  for (const root of roots) {
    const done = attempt(root, () =>
      disableProject({ ...context, project: findAt(root), scope: null, purge }),
    );
    problems.push(...(done?.problems ?? []));
  }
  const forAll = attempt(paths.claudeDir, () =>
    disableProject({ ...context, project: runtime.project, scope: "user", purge: false }),
  );
  problems.push(...(forAll?.problems ?? []));
  const directory = pluginDirectory(paths.claudeDir);
  const plugin = isPluginInstalled(runtime) ? attempt(directory, () => uninstallPlugin(directory)) : null;
  return { plugin: plugin ?? "unchanged", problems };
}
