import { toMementorError } from "../../errors.ts";
import { pluginDirectory, pluginState } from "../../plugin/directory.ts";
import { uninstallPlugin } from "../../plugin/install.ts";
import { isInstalled } from "../../project/agent-hooks/install.ts";
import { plannedWithdrawal } from "../../project/agent-hooks/leave-file.ts";
import { serversOf } from "../../project/agent-mcp/install.ts";
import { type DisableProblem, disableProject } from "../../project/disable.ts";
import { findAt } from "../../project/histories.ts";
import { readRegistry, recordOf } from "../../project/registry.ts";
import { isEdited } from "../../project/settings-file.ts";
import { settingsFiles, settingsPlace } from "../../project/settings-places.ts";
import type { Runtime } from "../../runtime.ts";
import { otherAgents, settingsContext } from "../shared/settings-context.ts";

export type UninstallProblem = DisableProblem;

/** What of mementor is in the settings of agents besides Claude Code's. */
export interface AgentSettings {
  hooks: { name: string; file: string }[];
  servers: { name: string; file: string }[];
  /** Files by which they may ask without a question. */
  leave: { name: string; file: string; isOwn: boolean }[];
}

/** Lists the settings of agents that hold hooks or start the MCP server. */
export function agentSettings(runtime: Runtime): AgentSettings {
  const { agents, servers } = otherAgents(runtime.host);
  const context = settingsContext(runtime);
  const nameAndFile = ({ name, file }: { name: string; file: string }) => ({ name, file });
  return {
    hooks: agents.filter((target) => isInstalled(target, context)).map(nameAndFile),
    servers: serversOf(servers).map(nameAndFile),
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
    const project = findAt(root);
    const own = (["project", "local"] as const).flatMap((scope) => settingsFiles(scope, project, context));
    const isOfAgent = (file: string) => otherAgents(runtime.host).agents.some((agent) => agent.file === file);
    const recorded = (recordOf(registry, root)?.settings ?? []).filter((file) => !isOfAgent(file));
    return [...own, ...recorded].some(holdsHooks);
  });
}

/** Whether Claude Code has the plugin. */
export function isPluginInstalled({ paths }: Runtime): boolean {
  return pluginState(pluginDirectory(paths.claudeDir)) === "installed";
}

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
