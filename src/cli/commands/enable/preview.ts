import { basename } from "node:path";
import { toMementorError } from "../../../errors.ts";
import { statIfExists } from "../../../io/read.ts";
import { readRegistry, recordOf, registryFileOf } from "../../../project/registry.ts";
import { pointerFile, pointerIn } from "../../../project/tree.ts";
import { memoryPlace } from "../../../project/trust.ts";
import { type EnableRequest, plannedEntries } from "../../../setup/enable.ts";
import { excludeFile, isExcluded } from "../../../setup/git-exclude.ts";
import { agentState } from "../../../setup/hooks/install.ts";
import { leaveWrites } from "../../../setup/hooks/leave-file.ts";
import type { AgentTarget } from "../../../setup/hooks/targets.ts";
import { hasServer, type McpTarget } from "../../../setup/mcp.ts";
import { givesLeave } from "../../../setup/settings/leave.ts";
import { movedFrom, type SettingsContext } from "../../../setup/settings/settings-places.ts";
import type { EnablePlan } from "./plan.ts";
import type { PlannedWrite, SettingsWrite } from "./writes.ts";

/** Lists each file that `enable` would write in a project or in the settings of an agent. Changes nothing. */
export function plannedWrites(
  request: EnableRequest,
  { agents, settings, leave }: EnablePlan,
): PlannedWrite[] {
  const { root } = request.project;
  const pointer = pointerFile(root);
  const id = pointerIn(root);
  const isMoved = movedFrom(request, readRegistry(request.configDir), root) !== null;
  const isCurrent = id !== null && (isMoved || id === basename(memoryPlace(request, root).directory));
  return [
    ...settings.map((write) => claudeWrite(write, request)),
    ...leave.map((write) => leaveWrite(write, "Claude Code")),
    ...agents.hooks.flatMap((target) => [hooksWrite(target, request), ...leaveOf(target, request)]),
    ...agents.servers.map(serverWrite),
    {
      agent: "mementor",
      file: pointer,
      change: changeOf(pointer, isCurrent),
      adds: "pointer",
      problem: null,
    },
    ...excludeWrite(request),
    registryWrite(request),
  ];
}

function registryWrite({ configDir, project }: EnableRequest): PlannedWrite {
  const file = registryFileOf(configDir);
  const isCurrent = recordOf(readRegistry(configDir), project.root) !== null;
  return { agent: "mementor", file, change: changeOf(file, isCurrent), adds: "registry", problem: null };
}

function excludeWrite({ project, scope, leave }: EnableRequest): PlannedWrite[] {
  const isPrivate = scope === "local" || (scope === "project" && givesLeave(leave));
  const file = isPrivate ? excludeFile(project) : null;
  if (file === null) return [];
  return [
    { agent: "git", file, change: changeOf(file, isExcluded(project)), adds: "exclude", problem: null },
  ];
}

function claudeWrite({ file, isCurrent }: SettingsWrite, request: EnableRequest): PlannedWrite {
  const { scope } = request;
  const hooks = plannedEntries(request).map(({ event }) => event);
  return {
    agent: "Claude Code",
    file,
    scope,
    hooks,
    change: changeOf(file, isCurrent),
    adds: "hooks",
    problem: null,
  };
}

function leaveWrite({ file, isCurrent }: SettingsWrite, agent: string): PlannedWrite {
  return { agent, file, change: changeOf(file, isCurrent), adds: "leave", problem: null };
}

function hooksWrite(target: AgentTarget, context: SettingsContext): PlannedWrite {
  const { name: agent, file, form, entries } = target;
  const { events, stale, problem } = agentState(target, context);
  const change = changeOf(file, events.length > 0 && stale.length === 0);
  if (form === "plugin") return { agent, file, change, adds: "plugin", problem };
  return { agent, file, change, adds: "hooks", hooks: entries.map(({ event }) => event), problem };
}

function leaveOf(target: AgentTarget, request: EnableRequest): PlannedWrite[] {
  if (request.leave.rules.length === 0) return [];
  return leaveWrites([target], request).map((write) => leaveWrite(write, target.name));
}

function serverWrite(target: McpTarget): PlannedWrite {
  const { name: agent, file } = target;
  try {
    return { agent, file, change: changeOf(file, hasServer(target)), adds: "server", problem: null };
  } catch (error) {
    return { agent, file, change: "changed", adds: "server", problem: toMementorError(error).message };
  }
}

function changeOf(file: string, isCurrent: boolean): PlannedWrite["change"] {
  if (statIfExists(file) === null) return "created";
  return isCurrent ? "unchanged" : "changed";
}
