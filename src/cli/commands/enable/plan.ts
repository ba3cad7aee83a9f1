import { looksLikeProject } from "../../../project/refusal.ts";
import { registryFileOf } from "../../../project/registry.ts";
import { pointerFile } from "../../../project/tree.ts";
import type { Runtime } from "../../../runtime.ts";
import { checkEnable, type EnableRequest, plannedEntries } from "../../../setup/enable.ts";
import { excludeFile, isExcluded } from "../../../setup/git-exclude.ts";
import { leaveWrites as agentLeaves } from "../../../setup/hooks/leave-file.ts";
import { givesLeave } from "../../../setup/settings/leave.ts";
import { hasHooks, installedRules } from "../../../setup/settings/settings-file.ts";
import { settingsPlace } from "../../../setup/settings/settings-places.ts";
import { knownExclusions } from "../../config-problems.ts";
import { ask, canAsk, type Decision } from "../../terminal/ask.ts";
import { type AgentOptions, agentsWithoutQuestion, type Chosen, chooseAgents, type Named } from "./agents.ts";
import { findHistory, type History, historyQuestion, unreadHistory } from "./history.ts";
import { renderNoProject, renderNoProjectQuestion, type UnreadHistory } from "./text.ts";
import { type OtherWrites, renderWrites, type SettingsWrite } from "./writes.ts";

/** What `enable` is going to do. */
export interface EnablePlan {
  agents: Chosen;
  /** The settings of Claude Code that get hooks. */
  settings: SettingsWrite[];
  /** Those that get leave to ask. */
  leave: SettingsWrite[];
  history: History;
  /** What of it was not read yet; null when there is nothing. */
  unread: UnreadHistory | null;
  /** Whether the history is read: before `enable` ends, in the background, or not at all. */
  reads: Reading;
}

export type Reading = "now" | "later" | "no";

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
  const settings = writesOf(files, request);
  const leave = leaveWrites(request);
  const approves = request.leave.rules.length > 0;
  const certain = approves ? agentLeaves(agentsWithoutQuestion(options.named, runtime), request) : [];
  if (!options.json && !options.dryRun)
    host.stdout.write(
      renderWrites({ hooks: settings, leave, agents: certain }, otherWrites(request), request),
    );
  if (asks && (await isRefused(request, runtime))) return null;
  const isAlone = options.yes || !canAsk(host);
  if (isAlone && !options.json && (await asksForProject(request, runtime)))
    host.stdout.write(renderNoProject(request.project.root, options.dryRun));
  const agents = await chooseAgents(options.named, { ...options, approves, asks }, runtime);
  if (agents === null) return null;
  const history = await findHistory(runtime, options.taken);
  const unread = await unreadHistory(history, runtime);
  const isAsked = unread !== null && asks && options.history === undefined;
  const decision = isAsked ? await ask(host, historyQuestion(unread), "yes") : null;
  if (decision === "quit") return null;
  return {
    agents,
    settings,
    leave,
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
): Reading {
  if (history === false || decision === "no") return "no";
  const isWanted = history || yes || taken.length > 0 || decision === "yes";
  return isWanted || unread === null || isPerson ? "now" : "later";
}

/** Whether a person is asked if the directory is a project, because it does not look like one. */
export async function asksForProject({ project, scope }: EnableRequest, runtime: Runtime): Promise<boolean> {
  return scope !== "user" && !looksLikeProject(project) && (await runtime.origin()) === "none";
}

/** Whether the person wants no memory for a directory that looks like no project. */
async function isRefused(request: EnableRequest, runtime: Runtime): Promise<boolean> {
  if (!(await asksForProject(request, runtime))) return false;
  return (await ask(runtime.host, renderNoProjectQuestion(request.project.root), "no")) !== "yes";
}

/** What else is written in the project. */
function otherWrites({ project, scope, configDir, leave }: EnableRequest): OtherWrites {
  const isPrivate = scope === "local" || (scope === "project" && givesLeave(leave));
  return {
    registry: registryFileOf(configDir),
    pointer: pointerFile(project.root),
    exclude: isPrivate && !isExcluded(project) ? excludeFile(project) : null,
  };
}

/** The files that will change; those whose hooks are complete and up to date will not. */
function writesOf(files: readonly string[], request: EnableRequest): SettingsWrite[] {
  const entries = plannedEntries(request);
  return files.map((file) => ({ file, isCurrent: hasHooks(settingsPlace(file, request), entries) }));
}

/** The files that Claude Code gets leave from, beside those that hold it already. */
function leaveWrites({ leave, ...context }: EnableRequest): SettingsWrite[] {
  if (leave.rules.length === 0) return [];
  return leave.files.map((file) => {
    const there = installedRules(settingsPlace(file, context), "allow");
    return { file, isCurrent: leave.rules.every((rule) => there.includes(rule)) };
  });
}
