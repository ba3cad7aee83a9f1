import { toMementorError } from "../errors.ts";
import type { Project } from "../io/git/project.ts";
import { deleteMemory, draftDirectory, type UserDirs } from "../project/memory.ts";
import { findRecord, type Registry, readRegistry, updateRegistry, withRecord } from "../project/registry.ts";
import { clearTree } from "../project/tree.ts";
import { memoryOrigin, memoryPlace } from "../project/trust.ts";
import { fileWithEntry, includeSettings } from "./git-exclude.ts";
import { isInstalled, uninstallForAgents, unwantedAgents } from "./hooks/install.ts";
import { type PermissionFileChange, plannedWithdrawal, revokePermission } from "./hooks/permission-file.ts";
import type { AgentTarget } from "./hooks/targets.ts";
import { type McpTarget, startedServers, unregisterMcp, unwantedServers } from "./mcp.ts";
import type { HookScope } from "./settings/hook-entries.ts";
import { installedHooks, isEdited, type SettingsChange, uninstallHooks } from "./settings/settings-file.ts";
import {
  moveUndoRecords,
  type SettingsContext,
  settingsFiles,
  settingsPlace,
} from "./settings/settings-places.ts";

export interface DisableRequest extends SettingsContext, UserDirs {
  project: Project;
  /**
   * Removes the hooks from this scope and keeps the project registered. Null removes them from all settings of the
   * project.
   */
  scope: HookScope | null;
  /** The agents whose own settings may hold mementor's hooks. */
  agents: readonly AgentTarget[];
  /** The agents that may start the MCP server. */
  servers: readonly McpTarget[];
  /** Also deletes the memory. */
  purge: boolean;
  now: Date;
}

export interface DisableResult {
  root: string;
  settings: { file: string; change: SettingsChange }[];
  /** Permission files of other agents; `foreign` for a file that is not mementor's and stays. */
  leave: PermissionFileChange[];
  /** Git's exclude file, if the settings were taken out of it. */
  includedIn: string | null;
  /** Settings of agents that no longer start the MCP server. */
  servers: { file: string; change: SettingsChange }[];
  /** Those that still start it, since another project asked for it too. */
  keptServers: string[];
  memory: "kept" | "deleted" | "none";
  /** True if hooks for all projects remain. They do nothing in this project. */
  hooksForAll: boolean;
  /** What could not be undone. */
  problems: DisableProblem[];
}

/** A change that could not be undone, and the reason. */
export interface DisableProblem {
  place: string;
  problem: string;
}

/** Returns what does each piece of work whether or not others fail, and the problems of those that did. */
export function attempts() {
  const problems: DisableProblem[] = [];
  const attempt = <T>(place: string, work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      problems.push({ place, problem: toMementorError(error).message });
      return null;
    }
  };
  return { problems, attempt };
}

/**
 * Reverts `enableProject`: removes the hooks, the registration and, with `purge`, the memory. With scope `user`,
 * removes the hooks for all projects and changes no project. Calling it again changes nothing. The project is disabled
 * first, so that hooks stop even if the rest is interrupted. What cannot be undone, such as hooks in settings that are broken,
 * stops nothing else, and stays registered until it is.
 */
export function disableProject(request: DisableRequest): DisableResult {
  const { project, scope, configDir, purge } = request;
  const { root } = project;
  const { directory } = memoryPlace(request, root);
  const { registry, known, scopes, files, recorded } = placesOf(request);
  const after = memoryAfter(request);
  const { problems, attempt } = attempts();
  const isRegistered = known !== null || registry.allProjects;
  if (isRegistered) updateRegistry(configDir, (current) => stopped(current, request));
  const leaving = scope === null ? root : null;
  const agents = unwanted(request, recorded);
  const settings = [
    ...files.flatMap((file) => attempt(file, () => takeOut(file, request)) ?? []),
    ...agents.flatMap(
      (target) => attempt(target.file, () => uninstallForAgents([target], leaving, request)) ?? [],
    ),
  ];
  const leave = unwantedAgents(agents, leaving, readRegistry(configDir)).flatMap(
    (target) => attempt(target.file, () => revokePermission(target)) ?? [],
  );
  const unrestored = problems.map(({ place }) => place);
  const asking = scope === null ? known : null;
  const { removed, kept } = unwantedServers(request.servers, asking, readRegistry(configDir));
  const servers = removed.flatMap((each) =>
    startedServers([each]).flatMap(({ file }) => attempt(file, () => unregisterMcp([each], configDir)) ?? []),
  );
  const id = purge && scope !== "user" ? (known?.id ?? null) : null;
  if (id !== null) attempt(directory, () => purgeMemory(directory, root, id));
  const isKept = id !== null && problems.some(({ place }) => place === directory);
  if (isRegistered) updateRegistry(configDir, (current) => ended(current, request, { unrestored, isKept }));
  return {
    root,
    settings,
    leave: leave.filter(({ change }) => change !== "unchanged"),
    includedIn: scopes.includes("local") ? attempt(root, () => includeSettings(project)) : null,
    servers: servers.filter(({ change }) => change !== "unchanged"),
    keptServers: startedServers(kept).map(({ file }) => file),
    memory: isKept ? "kept" : after,
    hooksForAll: scope !== "user" && registry.allProjects,
    problems,
  };
}

function takeOut(file: string, request: DisableRequest): DisableResult["settings"] {
  moveUndoRecords([file], request.project.root, request);
  return [{ file, change: uninstallHooks(settingsPlace(file, request)) }];
}

/** Returns what `disableProject` would do, and changes nothing. A file that would go counts as changed. */
export function plannedDisable(request: DisableRequest): DisableResult {
  const { project, scope } = request;
  const { registry, known, scopes, files, recorded } = placesOf(request);
  const isRegistered = known !== null || registry.allProjects;
  const nothing = { unrestored: [], isKept: false };
  const after = isRegistered ? ended(registry, request, nothing) : registry;
  const agents = unwantedAgents(unwanted(request, recorded), scope === null ? project.root : null, after);
  const { removed, kept } = unwantedServers(request.servers, scope === null ? known : null, after);
  const change = "changed" as const;
  const { problems, attempt } = attempts();
  const edited = files.filter((file) => attempt(file, () => isEdited(settingsPlace(file, request))));
  return {
    root: project.root,
    settings: [
      ...edited,
      ...agents.filter((target) => isInstalled(target, request)).map(({ file }) => file),
    ].map((file) => ({ file, change })),
    leave: agents.flatMap((target) => plannedWithdrawal(target) ?? []),
    includedIn: scopes.includes("local") ? fileWithEntry(project) : null,
    servers: startedServers(removed).map(({ file }) => ({ file, change })),
    keptServers: startedServers(kept).map(({ file }) => file),
    memory: memoryAfter(request),
    hooksForAll: scope !== "user" && registry.allProjects,
    problems,
  };
}

/** The settings that may hold hooks of Claude Code, and what the registry knows of the project. */
function placesOf(request: DisableRequest) {
  const { project, scope, configDir, agents } = request;
  const registry = readRegistry(configDir);
  const known = findRecord(registry, project.root);
  const scopes: HookScope[] = scope === null || hasPermissionAlone(request) ? ["project", "local"] : [scope];
  const named = scopes.flatMap((each) => settingsFiles(each, project, request));
  const isOfAgent = (file: string) => agents.some((agent) => agent.file === file);
  const recorded = scope === null ? (known?.settings ?? []) : [];
  const files = [...new Set([...named, ...recorded.filter((file) => !isOfAgent(file))])];
  return { registry, known, scopes, files, recorded };
}

/** Tells whether the user's settings for the project hold only permission rules, which are removed with the shared hooks. */
function hasPermissionAlone(request: DisableRequest): boolean {
  const files = request.scope === "project" ? settingsFiles("local", request.project, request) : [];
  const places = files.map((file) => settingsPlace(file, request));
  return places.length > 0 && places.every((place) => installedHooks(place).length === 0);
}

function memoryAfter(request: DisableRequest): DisableResult["memory"] {
  if (memoryOrigin(request, request.project.root) !== "own") return "none";
  return request.purge && request.scope !== "user" ? "deleted" : "kept";
}

/** The agents that this call is about: those of the project's record, or of all projects. */
function unwanted({ scope, agents }: DisableRequest, recorded: readonly string[]): AgentTarget[] {
  if (scope === "user") return [...agents];
  return agents.filter(({ file }) => recorded.includes(file));
}

function purgeMemory(directory: string, root: string, id: string): void {
  for (const path of [directory, draftDirectory(directory)]) deleteMemory(path);
  clearTree(root, id);
}

/** Disables the project but keeps its record, because nothing is undone yet. */
function stopped(registry: Registry, { project, scope, purge }: DisableRequest): Registry {
  if (scope === "user") return { ...registry, allProjects: false };
  const known = findRecord(registry, project.root);
  if (known === null || (scope !== null && !purge)) return registry;
  return withRecord(registry, { ...known, enabled: false });
}

/**
 * Keeps the project's record, so that its memory is found when the project is enabled again. The record is removed with the
 * memory, unless settings are yet to be restored.
 */
function ended(
  registry: Registry,
  { project, scope, purge, now }: DisableRequest,
  { unrestored, isKept }: { unrestored: readonly string[]; isKept: boolean },
): Registry {
  if (scope === "user") return { ...registry, allProjects: false };
  const { root } = project;
  const known = findRecord(registry, root);
  const isDone = purge && !isKept && unrestored.length === 0;
  if (isDone && !registry.allProjects)
    return { ...registry, projects: registry.projects.filter((record) => record.root !== root) };
  if (scope !== null && !purge) return registry;
  const id = purge && !isKept ? null : (known?.id ?? null);
  const record = { root, id, since: now.toISOString(), enabled: false, settings: [...unrestored] };
  return withRecord(registry, { ...record, ...(known?.servers && { servers: [] }) });
}
