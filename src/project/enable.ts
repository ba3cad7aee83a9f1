import { MementorError } from "../errors.ts";
import type { Project } from "../git/project.ts";
import { notTaken, takeOver } from "./adopt.ts";
import { type Adoptable, findAdoptable } from "./adoptable.ts";
import { registerMemory } from "./claim.ts";
import { HOOK_SCOPES, type HookScope, hookEntries } from "./hook-entries.ts";
import type { UserDirs } from "./memory.ts";
import { readRegistry, updateRegistry } from "./registry.ts";
import {
  checkLinks,
  installedHooks,
  installHooks,
  type SettingsChange,
  type SettingsPlace,
  uninstallHooks,
} from "./settings-file.ts";
import { type SettingsContext, settingsFiles, settingsPlace } from "./settings-places.ts";
import { memoryOrigin, memoryPlace } from "./trust.ts";

export interface EnableRequest extends SettingsContext, UserDirs {
  project: Project;
  scope: HookScope;
  /** Takes over what was not made here for this place, and so may come from somebody else. */
  adopt: boolean;
  now: Date;
}

export interface EnableResult {
  root: string;
  memoryDirectory: string;
  /** `created`; `kept` as it was; `adopted`: taken over; `none` with scope `user` outside git. */
  memory: "created" | "kept" | "adopted" | "none";
  scope: HookScope;
  settings: { file: string; change: SettingsChange }[];
  /** Settings of this project in another scope, from which our entries were moved to these. */
  movedFrom: string[];
  /** Settings that hold the same hooks too; Claude Code runs identical commands once. */
  alsoIn: string[];
}

/**
 * Enables mementor in a project, or with scope `user` in all: makes and registers the memory, then writes the hooks.
 * Doing it again changes nothing, repairs what is broken and brings older entries up to date; stopped between any two
 * steps it leaves a working state. A database in the tree, or the memory of a project that is gone from its former
 * place, is refused with `db_foreign`, unless `adopt` is given.
 */
export function enableProject(request: EnableRequest): EnableResult {
  const { project, scope, configDir, now } = request;
  const files = settingsFiles(scope, project, request);
  const adoptable = adoptableFor(request);
  const memory = memoryState(request, adoptable);
  // Looked at before anything is made: settings that cannot be edited leave no half-enabled project behind.
  for (const file of files) checkPlace(settingsPlace(file, request));
  if (memory !== "none")
    registerMemory(request, project.root, {
      now,
      settings: scope === "user" ? [] : files,
      ...(adoptable && { id: takeOver(request, adoptable) }),
    });
  if (scope === "user") updateRegistry(configDir, (registry) => ({ ...registry, allProjects: true }));
  const entries = hookEntries();
  const settings = files.map((file) => ({
    file,
    change: installHooks(settingsPlace(file, request), entries),
  }));
  const movedFrom = moveFrom(request).filter(
    (file) => uninstallHooks(settingsPlace(file, request)) !== "unchanged",
  );
  return {
    root: project.root,
    memoryDirectory: memoryPlace(request, project.root).directory,
    memory,
    scope,
    settings,
    movedFrom,
    alsoIn: others(request).filter((file) => hasHooks(file, request)),
  };
}

/** Writes the hooks of a scope again where they are, as this program would write them. */
export function rewriteHooks(scope: HookScope, project: Project, context: SettingsContext): void {
  const entries = hookEntries();
  const places = settingsFiles(scope, project, context).map((file) => settingsPlace(file, context));
  for (const place of places) if (installedHooks(place).length > 0) installHooks(place, entries);
}

function checkPlace(place: SettingsPlace): void {
  checkLinks(place);
  installedHooks(place);
}

/** What this project takes over; throws `db_foreign` when there is something and nobody asked for it. */
function adoptableFor(request: EnableRequest): Adoptable | null {
  const { root } = request.project;
  if (memoryOrigin(request, root) !== "foreign") return null;
  const adoptable = findAdoptable(request, readRegistry(request.configDir), root);
  if (adoptable && !request.adopt) throw notTaken(adoptable);
  return adoptable;
}

function memoryState(request: EnableRequest, adoptable: Adoptable | null): EnableResult["memory"] {
  const { root, isGit, kind } = request.project;
  if (kind === "missing") throw new MementorError("not_found", `There is no directory ${root}.`);
  if (adoptable) return "adopted";
  if (memoryOrigin(request, root) !== "none") return "kept";
  return request.scope === "user" && !isGit ? "none" : "created";
}

/** Settings from which the hooks move when another scope is chosen; what a team may share stays. */
function moveFrom(request: EnableRequest): string[] {
  return request.scope === "local" ? [] : settingsFiles("local", request.project, request);
}

function others(request: EnableRequest): string[] {
  const scopes = HOOK_SCOPES.filter((scope) => scope !== request.scope);
  return scopes.flatMap((scope) => settingsFiles(scope, request.project, request));
}

function hasHooks(file: string, request: EnableRequest): boolean {
  try {
    return installedHooks(settingsPlace(file, request)).length > 0;
  } catch {
    return false;
  }
}
