import type { Project } from "../git/project.ts";
import { isInstalled, uninstallForAgents, unwantedAgents } from "./agent-hooks/install.ts";
import type { AgentTarget } from "./agent-hooks/targets.ts";
import { serversOf, unregisterMcp, unwantedServers } from "./agent-mcp/install.ts";
import type { McpTarget } from "./agent-mcp/targets.ts";
import { fileWithEntry, includeSettings } from "./git-exclude.ts";
import type { HookScope } from "./hook-entries.ts";
import { deleteMemory, draftOf, type UserDirs } from "./memory.ts";
import { carryEdits } from "./moved-settings.ts";
import { type Registry, readRegistry, recordOf, updateRegistry, withRecord } from "./registry.ts";
import { installedHooks, isEdited, type SettingsChange, uninstallHooks } from "./settings-file.ts";
import { type SettingsContext, settingsFiles, settingsPlace } from "./settings-places.ts";
import { clearTree } from "./tree.ts";
import { memoryOrigin, memoryPlace } from "./trust.ts";

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
  /** Git's exclude file, if the settings were taken out of it. */
  includedIn: string | null;
  /** Settings of agents that no longer start the MCP server. */
  servers: { file: string; change: SettingsChange }[];
  /** Those that still start it, since another project asked for it too. */
  keptServers: string[];
  memory: "kept" | "deleted" | "none";
  /** Whether hooks for all projects remain. They do nothing in this project. */
  hooksForAll: boolean;
}

/**
 * Reverts `enableProject`: removes the hooks, the registration and, with `purge`, the memory. With scope `user`,
 * removes the hooks for all projects and changes no project. Calling it again changes nothing. The registration is
 * removed first, so that hooks stop even if the rest is interrupted.
 */
export function disableProject(request: DisableRequest): DisableResult {
  const { project, scope, configDir, purge } = request;
  const { directory } = memoryPlace(request, project.root);
  const { registry, known, scopes, files, recorded } = placesOf(request);
  const memory = memoryAfter(request);
  carryEdits(files, project.root, request);
  if (known || registry.allProjects) updateRegistry(configDir, (current) => changed(current, request));
  const settings = [
    ...files.map((file) => ({ file, change: uninstallHooks(settingsPlace(file, request)) })),
    ...uninstallForAgents(unwanted(request, recorded), scope === null ? project.root : null, request),
  ];
  const asking = scope === null ? known : null;
  const { removed, kept } = unwantedServers(request.servers, asking, readRegistry(configDir));
  const servers = unregisterMcp(removed, configDir);
  if (purge && scope !== "user" && known?.id) purgeMemory(directory, project.root, known.id);
  return {
    root: project.root,
    settings,
    includedIn: scopes.includes("local") ? includeSettings(project) : null,
    servers: servers.filter(({ change }) => change !== "unchanged"),
    keptServers: serversOf(kept).map(({ file }) => file),
    memory,
    hooksForAll: scope !== "user" && registry.allProjects,
  };
}

/** Returns what `disableProject` would do, and changes nothing. A file that would go counts as changed. */
export function plannedDisable(request: DisableRequest): DisableResult {
  const { project, scope } = request;
  const { registry, known, scopes, files, recorded } = placesOf(request);
  const after = known || registry.allProjects ? changed(registry, request) : registry;
  const agents = unwantedAgents(unwanted(request, recorded), scope === null ? project.root : null, after);
  const { removed, kept } = unwantedServers(request.servers, scope === null ? known : null, after);
  const change = "changed" as const;
  return {
    root: project.root,
    settings: [
      ...files.filter((file) => isEdited(settingsPlace(file, request))),
      ...agents.filter((target) => isInstalled(target, request)).map(({ file }) => file),
    ].map((file) => ({ file, change })),
    includedIn: scopes.includes("local") ? fileWithEntry(project) : null,
    servers: serversOf(removed).map(({ file }) => ({ file, change })),
    keptServers: serversOf(kept).map(({ file }) => file),
    memory: memoryAfter(request),
    hooksForAll: scope !== "user" && registry.allProjects,
  };
}

/** The settings that may hold hooks of Claude Code, and what the registry knows of the project. */
function placesOf(request: DisableRequest) {
  const { project, scope, configDir, agents } = request;
  const registry = readRegistry(configDir);
  const known = recordOf(registry, project.root);
  const scopes: HookScope[] = scope === null || hasLeaveAlone(request) ? ["project", "local"] : [scope];
  const named = scopes.flatMap((each) => settingsFiles(each, project, request));
  const isOfAgent = (file: string) => agents.some((agent) => agent.file === file);
  const recorded = scope === null ? (known?.settings ?? []) : [];
  const files = [...new Set([...named, ...recorded.filter((file) => !isOfAgent(file))])];
  return { registry, known, scopes, files, recorded };
}

/** Whether the user's settings for the project hold nothing but leave to ask, which goes with the shared hooks. */
function hasLeaveAlone(request: DisableRequest): boolean {
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
  for (const path of [directory, draftOf(directory)]) deleteMemory(path);
  clearTree(root, id);
}

/**
 * Keeps the project's record, so that its memory is found when the project is enabled again. The record is removed
 * with the memory.
 */
function changed(registry: Registry, { project, scope, purge, now }: DisableRequest): Registry {
  if (scope === "user") return { ...registry, allProjects: false };
  const { root } = project;
  const known = recordOf(registry, root);
  if (purge && !registry.allProjects)
    return { ...registry, projects: registry.projects.filter((record) => record.root !== root) };
  if (scope !== null) return registry;
  const id = purge ? null : (known?.id ?? null);
  const record = { root, id, since: now.toISOString(), enabled: false, settings: [] };
  return withRecord(registry, { ...record, ...(known?.servers && { servers: [] }) });
}
