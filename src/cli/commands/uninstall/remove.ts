import { rmdirSync } from "node:fs";
import { basename, dirname, join, win32 } from "node:path";
import { usedDirectories } from "../../../agents/list.ts";
import type { Host } from "../../../host.ts";
import { statIfExists } from "../../../io/read.ts";
import { SYSTEM } from "../../../io/system.ts";
import { findProjectAt } from "../../../project/histories.ts";
import { databaseBytes, memoryPaths } from "../../../project/memory.ts";
import { findRecord, type ProjectRecord, readRegistry } from "../../../project/registry.ts";
import type { Runtime } from "../../../runtime.ts";
import { attempts, type DisableProblem, disableProject } from "../../../setup/disable.ts";
import { isInstalled } from "../../../setup/hooks/install.ts";
import { plannedWithdrawal } from "../../../setup/hooks/permission-file.ts";
import { startedServers } from "../../../setup/mcp.ts";
import { pluginDirectory, pluginState } from "../../../setup/plugin/directory.ts";
import { uninstallPlugin } from "../../../setup/plugin/plugin.ts";
import { installedProgram } from "../../../setup/program/install-program.ts";
import type { findInstallation } from "../../../setup/program/installation.ts";
import { isEdited } from "../../../setup/settings/settings-file.ts";
import { movedRoot, settingsFiles, settingsPlace } from "../../../setup/settings/settings-places.ts";
import { openFolder } from "../../../sync/folder/files.ts";
import { keyId } from "../../../sync/folder/key.ts";
import { folderKeys, holdsTurns, readFolders } from "../../../sync/folder/settings.ts";
import { assetPlaces } from "../../../user-paths.ts";
import { otherAgents, settingsContext } from "../../settings-context.ts";

/**
 * Keeps what remaining hooks need if some could not be removed: the program, because Claude Code reports a missing exec-form
 * program at every prompt, and the record of the original settings.
 */
export function withoutNeeded(
  leaving: readonly string[],
  hasHooks: boolean,
  needed: readonly string[],
): { going: string[]; kept: DisableProblem[] } {
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
export function removePaths(paths: readonly string[], host: Host): { problems: DisableProblem[] } {
  const problems: DisableProblem[] = [];
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
    // The directory is not empty.
  }
}

/** Tries each second, for ten minutes: a server of another agent may run from the file, too. */
const TRIES = 600;

/** Starts a process that deletes a file of a temporary name as soon as no program runs from it. */
function deleteLater(file: string, { env }: Host): void {
  const system = win32.join(env.SystemRoot ?? env.SYSTEMROOT ?? "C:\\Windows", "System32");
  // Only the file name, which we chose, so it contains nothing that cmd interprets.
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

/**
 * Takes the hooks out of all projects and of the settings of all agents, and the plugin out of Claude Code. What fails
 * in one place stops nothing elsewhere.
 */
export async function disableEverywhere(
  runtime: Runtime,
  roots: readonly string[],
  purge: boolean,
): Promise<{ plugin: "removed" | "unchanged"; problems: DisableProblem[] }> {
  const { problems, attempt } = attempts();
  const { host, paths } = runtime;
  const context = { ...settingsContext(runtime), ...otherAgents(host), now: host.now() };
  for (const root of roots) {
    const done = attempt(root, () =>
      disableProject({ ...context, project: findProjectAt(root), scope: null, purge }),
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

/** Every path that goes: the cache and the hooks' program, what the installer made, and with `purge` the rest. */
export async function leavingPaths(
  { host, paths }: Runtime,
  { purge, installation }: { purge: boolean; installation: ReturnType<typeof findInstallation> },
): Promise<string[]> {
  const { cacheDir, fallbackDir } = assetPlaces(host, false, () => {});
  const hooksProgram = join(installedProgram(host), "..");
  const { method, program, files } = installation;
  const installed = method === "installer" ? [...files, program] : [];
  const personal = purge ? [paths.dataDir, paths.configDir, join(hooksProgram, "..")] : [];
  const all = [join(cacheDir, "mementor"), fallbackDir, hooksProgram, ...installed, ...personal];
  return [...new Set(all)].filter((path) => statIfExists(path) !== null);
}

/**
 * The folders that hold what memories synced, or may do so where they cannot be read now. A file of them that is broken stops
 * nothing.
 */
export async function syncFolders(configDir: string): Promise<string[]> {
  try {
    const settings = readFolders(configDir);
    const held: string[] = [];
    for (const directory of Object.keys(settings?.folders ?? {}))
      if (settings !== null && (await mayHoldTurns(directory, folderKeys(settings, directory))))
        held.push(directory);
    return held;
  } catch {
    return [];
  }
}

async function mayHoldTurns(directory: string, keys: readonly Uint8Array[]): Promise<boolean> {
  try {
    const files = await openFolder(directory);
    for (const key of keys) if (await holdsTurns(files, keyId(key))) return true;
    return false;
  } catch {
    return true;
  }
}

/** Lists the memories of projects that have a database. */
export function memoriesOf(dataDir: string, projects: readonly ProjectRecord[]) {
  return projects.flatMap(({ root, id }) => {
    if (id === null) return [];
    const { directory, databaseFile } = memoryPaths(dataDir, id);
    const bytes = databaseBytes(databaseFile);
    return bytes === null ? [] : [{ root, directory, bytes }];
  });
}

/**
 * Finds the projects that `uninstall` takes the hooks out of. A project that was moved and not adopted is not registered
 * at its new place: it is found in the current directory, and where sessions of agents were held. `lost` are the roots that are
 * gone, and that no project was found to come from.
 */
export async function findProjects({ host, paths, project }: Runtime) {
  const registry = readRegistry(paths.configDir);
  const registered = registry.projects.map(({ root }) => root);
  const gone = registry.projects.filter(({ root, enabled }) => enabled && statIfExists(root) === null);
  if (gone.length === 0) return { roots: registered, lost: [] };
  const used = (await usedDirectories(host)).map((cwd) => findProjectAt(cwd).root);
  const from = new Map([project.root, ...used].map((root) => [root, movedRoot(paths, registry, root)]));
  const moved = [...from].filter(([, formerRoot]) => formerRoot !== null).map(([root]) => root);
  const isFound = new Set(from.values());
  const lost = gone.map(({ root }) => root).filter((root) => !isFound.has(root));
  // Moved projects come first, because they need the records of their former roots.
  return { roots: [...moved, ...registered], lost };
}

/**
 * Lists the settings of agents besides Claude Code that hold hooks or start the MCP server, and the files by which they may ask
 * without a question; one that is not as mementor writes it stays.
 */
export function agentSettings(runtime: Runtime) {
  const { agents, servers } = otherAgents(runtime.host);
  const context = settingsContext(runtime);
  const nameAndFile = ({ name, file }: { name: string; file: string }) => ({ name, file });
  return {
    hooks: agents.filter((target) => isInstalled(target, context)).map(nameAndFile),
    servers: startedServers(servers).map(nameAndFile),
    leave: agents.flatMap((target) => {
      const planned = plannedWithdrawal(target);
      return planned === null
        ? []
        : { name: target.name, file: planned.file, isOwn: planned.change !== "foreign" };
    }),
  };
}

/** Returns those of the projects whose settings hold hooks, or cannot be read. */
export function rootsWithHooks(runtime: Runtime, roots: readonly string[]): string[] {
  const context = settingsContext(runtime);
  const registry = readRegistry(runtime.paths.configDir);
  const holdsHooks = (file: string) => {
    try {
      return isEdited(settingsPlace(file, context));
    } catch {
      return true;
    }
  };
  return roots.filter((root) => {
    const project = findProjectAt(root);
    const own = (["project", "local"] as const).flatMap((scope) => settingsFiles(scope, project, context));
    const isOfAgent = (file: string) => otherAgents(runtime.host).agents.some((agent) => agent.file === file);
    const recorded = (findRecord(registry, root)?.settings ?? []).filter((file) => !isOfAgent(file));
    return [...own, ...recorded].some(holdsHooks);
  });
}

/** Tells whether Claude Code has the plugin. */
export function isPluginInstalled({ paths }: Runtime): boolean {
  return pluginState(pluginDirectory(paths.claudeDir)) === "installed";
}
