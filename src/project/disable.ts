import type { Project } from "../git/project.ts";
import { statIfExists } from "../io/read.ts";
import type { HookScope } from "./hook-entries.ts";
import { deleteMemory, memoryAt } from "./memory.ts";
import { type Registry, readRegistry, recordOf, updateRegistry, withRecord } from "./registry.ts";
import { type SettingsChange, uninstallHooks } from "./settings-file.ts";
import { type SettingsContext, settingsFiles, settingsPlace } from "./settings-places.ts";

export interface DisableRequest extends SettingsContext {
  project: Project;
  /** Takes the hooks out of this scope and leaves the project registered; null: out of all settings of the project. */
  scope: HookScope | null;
  /** Deletes the memory too. */
  purge: boolean;
  now: Date;
}

export interface DisableResult {
  root: string;
  settings: { file: string; change: SettingsChange }[];
  memory: "kept" | "deleted" | "none";
  /** Whether hooks for all projects are still there; they do nothing in this one. */
  hooksForAll: boolean;
}

/**
 * Takes out what `enableProject` put in: hooks, registration and, with `purge`, the memory. With scope `user` it ends
 * the hooks for all projects, and touches no project. Doing it again changes nothing. The registration goes first, so
 * that hooks are quiet from then on wherever it is stopped.
 */
export function disableProject(request: DisableRequest): DisableResult {
  const { project, scope, configDir, purge } = request;
  const registry = readRegistry(configDir);
  const known = recordOf(registry, project.root);
  if (known || registry.allProjects) updateRegistry(configDir, (current) => changed(current, request));
  const scopes: HookScope[] = scope === null ? ["project", "local"] : [scope];
  const named = scopes.flatMap((each) => settingsFiles(each, project, request));
  const files = [...new Set([...named, ...(scope === null ? (known?.settings ?? []) : [])])];
  const settings = files.map((file) => ({ file, change: uninstallHooks(settingsPlace(file, request)) }));
  const { directory } = memoryAt(project.root);
  const hasMemory = statIfExists(directory) !== null;
  if (purge && scope !== "user") deleteMemory(directory);
  return {
    root: project.root,
    settings,
    memory: !hasMemory ? "none" : purge && scope !== "user" ? "deleted" : "kept",
    hooksForAll: scope !== "user" && registry.allProjects,
  };
}

/** The record stays, so that the memory is known again when the project is enabled once more; it goes with the memory. */
function changed(registry: Registry, { project, scope, purge, now }: DisableRequest): Registry {
  if (scope === "user") return { ...registry, allProjects: false };
  const { root } = project;
  const known = recordOf(registry, root);
  if (purge && !registry.allProjects)
    return { ...registry, projects: registry.projects.filter((record) => record.root !== root) };
  if (scope !== null) return registry;
  const id = purge ? null : (known?.id ?? null);
  return withRecord(registry, { root, id, since: now.toISOString(), enabled: false, settings: [] });
}
