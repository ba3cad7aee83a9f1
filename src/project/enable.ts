import { MementorError } from "../errors.ts";
import type { Project } from "../git/project.ts";
import { isTracked } from "../git/tracked.ts";
import { statIfExists } from "../io/read.ts";
import { type HookScope, hookEntries } from "./hook-entries.ts";
import { identityOf, MEMORY_DIRECTORY, memoryAt } from "./memory.ts";
import { readRegistry, recordOf, registerMemory, trustOf, updateRegistry } from "./registry.ts";
import { installedHooks, installHooks, type SettingsChange, uninstallHooks } from "./settings-file.ts";
import { type SettingsContext, settingsFiles, settingsPlace } from "./settings-places.ts";

export interface EnableRequest extends SettingsContext {
  project: Project;
  scope: HookScope;
  /** Takes over a database that was not made here, and so may come from somebody else. */
  adopt: boolean;
  now: Date;
}

export interface EnableResult {
  root: string;
  memoryDirectory: string;
  /** `created`; `kept` as it was; `adopted` when it was there but not made here; `none` with scope `user` outside git. */
  memory: "created" | "kept" | "adopted" | "none";
  scope: HookScope;
  settings: { file: string; change: SettingsChange }[];
  /** Settings of this project in another scope, from which our entries were moved to these. */
  movedFrom: string[];
  /** Settings that hold our hooks too, so that they run twice here. */
  alsoIn: string[];
}

/**
 * Enables mementor in a project, or with scope `user` in all: makes and registers the memory, then writes the hooks.
 * Doing it again changes nothing, repairs what is broken and brings older entries up to date; stopped between any two
 * steps it leaves a working state. A memory that git tracks, or a database that was not made here, is refused with
 * `db_foreign`, unless `adopt` is given.
 */
export function enableProject(request: EnableRequest): EnableResult {
  const { project, scope, configDir, now } = request;
  const files = settingsFiles(scope, project, request);
  const memory = memoryState(request);
  // Looked at before anything is made: settings that cannot be edited leave no half-enabled project behind.
  for (const file of files) installedHooks(settingsPlace(file, request));
  if (memory !== "none")
    registerMemory(configDir, project.root, { now, settings: scope === "user" ? [] : files });
  if (scope === "user") updateRegistry(configDir, (registry) => ({ ...registry, allProjects: true }));
  const entries = hookEntries(scope, request.self, request.platform);
  const settings = files.map((file) => ({
    file,
    change: installHooks(settingsPlace(file, request), entries),
  }));
  const movedFrom = moveFrom(request).filter(
    (file) => uninstallHooks(settingsPlace(file, request)) !== "unchanged",
  );
  return {
    root: project.root,
    memoryDirectory: memoryAt(project.root).directory,
    memory,
    scope,
    settings,
    movedFrom,
    alsoIn: others(request).filter((file) => hasHooks(file, request)),
  };
}

/** Writes the hooks of a scope again where they are, as this program would write them. */
export function rewriteHooks(scope: HookScope, project: Project, context: SettingsContext): void {
  const entries = hookEntries(scope, context.self, context.platform);
  const places = settingsFiles(scope, project, context).map((file) => settingsPlace(file, context));
  for (const place of places) if (installedHooks(place).length > 0) installHooks(place, entries);
}

function memoryState({ project, scope, configDir, adopt }: EnableRequest): EnableResult["memory"] {
  const { root, gitDir, isGit, kind } = project;
  if (kind === "missing") throw new MementorError("not_found", `There is no directory ${root}.`);
  const known = recordOf(readRegistry(configDir), root)?.id ?? null;
  if (known !== null && known === identityOf(memoryAt(root).directory)) return "kept";
  if (trustOf(configDir, root) === "trusted") return "kept";
  if (!statIfExists(memoryAt(root).directory)) return scope === "user" && !isGit ? "none" : "created";
  if (isTracked(gitDir, `${MEMORY_DIRECTORY}/`, "mementor.db") && !adopt)
    throw new MementorError("db_foreign", `${memoryAt(root).directory} is part of the repository`, {
      hint: `Whoever wrote it could tell Claude anything. Remove it ("git rm -r --cached ${MEMORY_DIRECTORY}"), or take it over with "--adopt".`,
    });
  if (!adopt && (statIfExists(memoryAt(root).databaseFile)?.size ?? 0) > 0)
    throw new MementorError(
      "db_foreign",
      `${memoryAt(root).directory} holds a database that was not made here`,
      {
        hint: 'Whoever made it could tell Claude anything. If it is yours, from another machine or an older version, take it over with "--adopt"; else delete it.',
      },
    );
  return "adopted";
}

/** Settings of this project from which the hooks move when another scope is chosen; those that a team shares stay. */
function moveFrom(request: EnableRequest): string[] {
  const { scope, project } = request;
  if (scope !== "local") return settingsFiles("local", project, request);
  const isShared = isTracked(project.gitDir, ".claude/settings.json", "settings.json");
  return isShared ? [] : settingsFiles("project", project, request);
}

function others(request: EnableRequest): string[] {
  const scopes = (["project", "local", "user"] as const).filter((scope) => scope !== request.scope);
  return scopes.flatMap((scope) => settingsFiles(scope, request.project, request));
}

function hasHooks(file: string, request: EnableRequest): boolean {
  try {
    return installedHooks(settingsPlace(file, request)).length > 0;
  } catch {
    return false;
  }
}
