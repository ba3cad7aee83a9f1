import { MementorError } from "../../../errors.ts";
import { statIfExists } from "../../../io/read.ts";
import { SYSTEM } from "../../../io/system.ts";
import { readRegistry, registryFileOf } from "../../../project/registry.ts";
import type { Runtime } from "../../../runtime.ts";
import { installedProgram, mementorOnPath } from "../../../setup/install-program.ts";
import { findInstallation, linkToProgram } from "../../../setup/installation.ts";
import { confirm, declined, printResult } from "../../terminal/ask.ts";
import {
  agentSettings,
  findProjects,
  isPluginInstalled,
  leavingPaths,
  memoriesOf,
  rootsWithHooks,
  syncFolders,
} from "./found.ts";
import { disableEverywhere, removePaths, withoutNeeded } from "./remove.ts";
import { renderUninstall } from "./text.ts";

interface UninstallOptions {
  purge: boolean;
  dryRun: boolean;
  yes: boolean;
  json: boolean;
}

/** Takes out everything that mementor put on this machine; memories and settings of mementor only with `purge`. */
export async function uninstall(options: UninstallOptions, runtime: Runtime): Promise<number> {
  const { purge, dryRun, yes, json } = options;
  const { host, paths } = runtime;
  const { projects, allProjects } = readRegistry(paths.configDir);
  const memories = memoriesOf(paths.dataDir, projects);
  const installation = findInstallation({
    ...host,
    onPath: mementorOnPath(host.env.PATH ?? "", host.platform),
  });
  const { roots, lost } = await findProjects(runtime);
  const agents = agentSettings(runtime);
  const leaving = await leavingPaths(runtime, { purge, installation });
  const hooked = rootsWithHooks(runtime, roots);
  const settings = statIfExists(paths.configDir) === null ? null : paths.configDir;
  const folders = await syncFolders(paths.configDir);
  const shown = {
    projects: hooked,
    lost,
    agents,
    allProjects,
    memories,
    leaving,
    installation,
    settings,
    folders,
    link: linkToProgram(host.homeDir, installation),
  };
  const hasPlugin = isPluginInstalled(runtime);
  if (dryRun) {
    return printResult(host.stdout, json, { ...shown, purge, done: false }, () =>
      renderUninstall({ ...shown, hasPlugin }, null, purge),
    );
  }
  if (purge && !yes) {
    if (!json) host.stdout.write(renderUninstall({ ...shown, hasPlugin }, null, purge));
    if (!(await confirm(host, question(memories.length), nobody())))
      return declined(host, "Nothing was removed.");
  }
  const { plugin, problems } = await disableEverywhere(runtime, roots, purge);
  const needed = [installedProgram(host), registryFileOf(paths.configDir)];
  const { going, kept } = withoutNeeded(leaving, problems.length > 0, needed);
  const removed = removePaths(going, host);
  const done = { plugin, problems: [...problems, ...kept, ...removed.problems] };
  const left = agentSettings(runtime);
  const isFailed = (path: string) => done.problems.some(({ place }) => place === path);
  const gone = {
    ...shown,
    hasPlugin: plugin === "removed",
    projects: hooked.filter((root) => !done.problems.some(({ place }) => SYSTEM.isWithin(place, root))),
    leaving: leaving.filter((path) => !isFailed(path)),
    agents: {
      hooks: agents.hooks.filter(({ file }) => left.hooks.every((other) => other.file !== file)),
      servers: agents.servers.filter(({ file }) => left.servers.every((other) => other.file !== file)),
      leave: agents.leave.filter(
        ({ file, isOwn }) => !isOwn || left.leave.every((other) => other.file !== file),
      ),
    },
  };
  printResult(host.stdout, json, { ...shown, purge, ...done, done: true }, () =>
    renderUninstall(gone, done.problems, purge),
  );
  return done.problems.length > 0 ? 1 : 0;
}

function question(count: number): string {
  return `Delete ${count === 1 ? "1 memory" : `${count} memories`} for good?`;
}

function nobody(): MementorError {
  return new MementorError("usage", "There is nobody to ask, so nothing was removed.", {
    hint: 'Say "--yes" to delete the memories too, or leave "--purge" out.',
  });
}
