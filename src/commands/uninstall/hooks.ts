import { toMementorError } from "../../errors.ts";
import { findProject } from "../../git/project.ts";
import { pluginDirectory, pluginState, uninstallPlugin } from "../../plugin/install.ts";
import { disableProject } from "../../project/disable.ts";
import type { ProjectRecord } from "../../project/registry.ts";
import type { Runtime } from "../../runtime.ts";
import { otherAgents, settingsContext } from "../shared/settings-context.ts";

/** What could not be undone: where, and why. */
export interface UninstallProblem {
  place: string;
  problem: string;
}

/**
 * Takes the hooks out of all projects and of the settings of all agents, and the plugin out of Claude Code. What fails in one
 * place stops nothing elsewhere.
 */
export async function disableEverywhere(
  runtime: Runtime,
  projects: readonly ProjectRecord[],
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
  for (const { root } of projects)
    attempt(root, () => disableProject({ ...context, project: findProject(root), scope: null, purge }));
  attempt(paths.claudeDir, () =>
    disableProject({ ...context, project: runtime.project, scope: "user", purge: false }),
  );
  const directory = pluginDirectory(paths.claudeDir);
  const removesPlugin = pluginState(directory) === "installed";
  const plugin = removesPlugin ? attempt(directory, () => uninstallPlugin(directory)) : null;
  return { plugin: plugin ?? "unchanged", problems };
}
