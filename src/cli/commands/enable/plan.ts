import { basename } from "node:path";
import { toMementorError } from "../../../errors.ts";
import { statIfExists } from "../../../io/read.ts";
import { looksLikeProject } from "../../../project/refusal.ts";
import { findRecord, readRegistry, registryPath } from "../../../project/registry.ts";
import { pointerFile, readPointer } from "../../../project/tree.ts";
import { memoryPlace } from "../../../project/trust.ts";
import type { Runtime } from "../../../runtime.ts";
import { checkEnable, type EnableRequest, plannedEntries } from "../../../setup/enable.ts";
import { excludeFile, isExcluded } from "../../../setup/git-exclude.ts";
import { agentState } from "../../../setup/hooks/install.ts";
import { permissionFileWrites as agentPermissions } from "../../../setup/hooks/permission-file.ts";
import type { AgentTarget } from "../../../setup/hooks/targets.ts";
import { hasServer, type McpTarget } from "../../../setup/mcp.ts";
import { grantsPermission } from "../../../setup/settings/permission.ts";
import { hasHooks, installedRules } from "../../../setup/settings/settings-file.ts";
import { movedRoot, type SettingsContext, settingsPlace } from "../../../setup/settings/settings-places.ts";
import { knownExclusions } from "../../config-problems.ts";
import { askUser, canAsk, type Decision } from "../../terminal/ask.ts";
import { type AgentOptions, agentsWithoutQuestion, type Chosen, chooseAgents, type Named } from "./agents.ts";
import { findHistory, type HistoryPlan, unreadHistory } from "./history.ts";
import {
  renderHistoryQuestion,
  renderNoProject,
  renderNoProjectQuestion,
  type UnreadHistory,
} from "./text.ts";
import { type PlannedWrite, renderWrites } from "./writes.ts";

/** What `enable` is going to do. */
export interface EnablePlan extends HistoryPlan {
  agents: Chosen;
  /** Each file that is written in a project or in the settings of an agent. */
  writes: PlannedWrite[];
}

/**
 * Checks what can be checked, says which settings will be written, and asks all questions, before anything is changed.
 * Resolves to null when the person quits.
 */
export async function planEnable(
  request: EnableRequest,
  options: Omit<AgentOptions, "asks" | "approves"> & {
    named: Named;
    history: boolean | undefined;
    yes: boolean;
    json: boolean;
    dryRun: boolean;
    taken: readonly { root: string }[];
  },
  runtime: Runtime,
): Promise<EnablePlan | null> {
  const { host } = runtime;
  if (options.history !== false) await knownExclusions(runtime);
  const files = checkEnable(request);
  const asks = !options.json && !options.dryRun && !options.yes && canAsk(host);
  const certain = { hooks: agentsWithoutQuestion(options.named, runtime), servers: [] };
  if (!options.json && !options.dryRun)
    host.stdout.write(renderWrites(plannedWrites(request, files, certain), request.leave.tracked));
  if (asks && (await isRefused(request, runtime))) return null;
  const isAlone = options.yes || !canAsk(host);
  if (isAlone && !options.json && (await asksForProject(request, runtime)))
    host.stdout.write(renderNoProject(request.project.root, options.dryRun));
  const agents = await chooseAgents(
    options.named,
    { ...options, approves: request.leave.rules.length > 0, asks },
    runtime,
  );
  if (agents === null) return null;
  const history = await findHistory(runtime, options.taken);
  const unread = await unreadHistory(history, runtime);
  const isAsked = unread !== null && asks && options.history === undefined;
  const decision = isAsked ? await askUser(host, renderHistoryQuestion(unread), "yes") : null;
  if (decision === "quit") return null;
  return {
    agents,
    writes: options.dryRun ? plannedWrites(request, files, agents) : [],
    history,
    unread,
    reads: readingOf(options, decision, unread, canAsk(host)),
  };
}

/**
 * When the history is read: at once where it was asked for or is taken over. Whoever starts `enable` without a
 * terminal, such as an installer, does not wait for it.
 */
function readingOf(
  { history, yes, taken }: { history: boolean | undefined; yes: boolean; taken: readonly unknown[] },
  decision: Decision | null,
  unread: UnreadHistory | null,
  isPerson: boolean,
): HistoryPlan["reads"] {
  if (history === false || decision === "no") return "no";
  const isWanted = history || yes || taken.length > 0 || decision === "yes";
  return isWanted || unread === null || isPerson ? "now" : "later";
}

/** Tells whether a person is asked if the directory is a project, because it does not look like one. */
export async function asksForProject({ project, scope }: EnableRequest, runtime: Runtime): Promise<boolean> {
  return scope !== "user" && !looksLikeProject(project) && (await runtime.origin()) === "none";
}

/** Tells whether the person wants no memory for a directory that looks like no project. */
async function isRefused(request: EnableRequest, runtime: Runtime): Promise<boolean> {
  if (!(await asksForProject(request, runtime))) return false;
  return (await askUser(runtime.host, renderNoProjectQuestion(request.project.root), "no")) !== "yes";
}

/** Lists each file that `enable` writes in a project, of these settings of Claude Code and of these agents. Changes nothing. */
function plannedWrites(
  request: EnableRequest,
  files: readonly string[],
  { hooks, servers }: Pick<Chosen, "hooks" | "servers">,
): PlannedWrite[] {
  const { root } = request.project;
  const pointer = pointerFile(root);
  const id = readPointer(root);
  const isMoved = movedRoot(request, readRegistry(request.configDir), root) !== null;
  const isCurrent = id !== null && (isMoved || id === basename(memoryPlace(request, root).directory));
  return [
    ...files.map((file) => claudeWrite(file, request)),
    ...claudePermission(request),
    ...hooks.flatMap((target) => [hooksWrite(target, request), ...permissionOf(target, request)]),
    ...servers.map(serverWrite),
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
  const file = registryPath(configDir);
  const isCurrent = findRecord(readRegistry(configDir), project.root) !== null;
  return { agent: "mementor", file, change: changeOf(file, isCurrent), adds: "registry", problem: null };
}

function excludeWrite({ project, scope, leave }: EnableRequest): PlannedWrite[] {
  const isPrivate = scope === "local" || (scope === "project" && grantsPermission(leave));
  const file = isPrivate ? excludeFile(project) : null;
  if (file === null) return [];
  return [
    { agent: "git", file, change: changeOf(file, isExcluded(project)), adds: "exclude", problem: null },
  ];
}

function claudeWrite(file: string, request: EnableRequest): PlannedWrite {
  const entries = plannedEntries(request);
  return {
    agent: "Claude Code",
    file,
    scope: request.scope,
    hooks: entries.map(({ event }) => event),
    change: changeOf(file, hasHooks(settingsPlace(file, request), entries)),
    adds: "hooks",
    problem: null,
  };
}

/** The files that Claude Code gets leave from. */
function claudePermission({ leave: { rules, files }, ...context }: EnableRequest): PlannedWrite[] {
  if (rules.length === 0) return [];
  return files.map((file) => {
    const there = installedRules(settingsPlace(file, context), "allow");
    return permissionWrite({ file, isCurrent: rules.every((rule) => there.includes(rule)) }, "Claude Code");
  });
}

function permissionWrite(
  { file, isCurrent }: { file: string; isCurrent: boolean },
  agent: string,
): PlannedWrite {
  return { agent, file, change: changeOf(file, isCurrent), adds: "leave", problem: null };
}

function hooksWrite(target: AgentTarget, context: SettingsContext): PlannedWrite {
  const { name: agent, file, form, entries } = target;
  const { events, stale, problem } = agentState(target, context);
  const change = changeOf(file, events.length > 0 && stale.length === 0);
  if (form === "plugin") return { agent, file, change, adds: "plugin", problem };
  return { agent, file, change, adds: "hooks", hooks: entries.map(({ event }) => event), problem };
}

function permissionOf(target: AgentTarget, request: EnableRequest): PlannedWrite[] {
  if (request.leave.rules.length === 0) return [];
  return agentPermissions([target], request).map((write) => permissionWrite(write, target.name));
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
