import { join } from "node:path";
import { MementorError } from "../../errors.ts";
import { statIfExists } from "../../io/read.ts";
import { installedProgram } from "../../project/install-program.ts";
import { findInstallation } from "../../project/installation.ts";
import { mementorOnPath } from "../../project/on-path.ts";
import { readRegistry } from "../../project/registry.ts";
import { renderResult } from "../../render/result.ts";
import { renderUninstall } from "../../render/uninstall.ts";
import type { Runtime } from "../../runtime.ts";
import { assetPlaces } from "../../user-paths.ts";
import { confirm, declined } from "../shared/confirm.ts";
import { disableEverywhere } from "./hooks.ts";
import { memoriesOf } from "./memories.ts";
import { removePaths } from "./remove.ts";

export interface UninstallOptions {
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
  const leaving = await leavingPaths(runtime, { purge, installation });
  const shown = { projects: projects.map(({ root }) => root), allProjects, memories, leaving, installation };
  if (dryRun) {
    host.stdout.write(
      json ? renderResult({ ...shown, purge, done: false }) : renderUninstall(shown, null, purge),
    );
    return 0;
  }
  if (purge && !yes) {
    if (!json) host.stdout.write(renderUninstall(shown, null, purge));
    if (!(await confirm(host, question(memories.length), nobody())))
      return declined(host, "Nothing was removed.");
  }
  const { plugin, problems } = await disableEverywhere(runtime, projects, purge);
  const removed = removePaths(leaving);
  const done = { plugin, problems: [...problems, ...removed.problems] };
  host.stdout.write(
    json ? renderResult({ ...shown, purge, ...done, done: true }) : renderUninstall(shown, done, purge),
  );
  return done.problems.length > 0 ? 1 : 0;
}

/** Every path that goes: the cache and the hooks' program, what the installer made, and with `purge` the rest. */
async function leavingPaths(
  { host, paths }: Runtime,
  { purge, installation }: { purge: boolean; installation: ReturnType<typeof findInstallation> },
): Promise<string[]> {
  const { cacheDir, fallbackDir } = assetPlaces(host, false, () => {});
  const hooksProgram = join(installedProgram(host), "..");
  const { method, program, files } = installation;
  const installed = method === "installer" ? [...files, ...(host.platform === "win32" ? [] : [program])] : [];
  const personal = purge ? [paths.dataDir, paths.configDir, join(hooksProgram, "..")] : [];
  const all = [join(cacheDir, "mementor"), fallbackDir, hooksProgram, ...installed, ...personal];
  return [...new Set(all)].filter((path) => statIfExists(path) !== null);
}

function question(count: number): string {
  return `Delete ${count === 1 ? "1 memory" : `${count} memories`} for good?`;
}

function nobody(): MementorError {
  return new MementorError("usage", "There is nobody to ask, so nothing was removed.", {
    hint: 'Say "--yes" to delete the memories too, or leave "--purge" out.',
  });
}
