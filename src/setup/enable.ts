import { MementorError } from "../errors.ts";
import type { Project } from "../io/git/project.ts";
import { takeOver } from "../project/adopt.ts";
import { type Adoptable, findAdoptable } from "../project/adoptable.ts";
import { registerMemory } from "../project/claim.ts";
import { placeFrom } from "../project/data-place.ts";
import type { UserDirs } from "../project/memory.ts";
import { notTaken } from "../project/refusal.ts";
import { readRegistry, updateRegistry } from "../project/registry.ts";
import { noteWorktrees, type Repository } from "../project/repository.ts";
import { memoryOrigin, memoryPlace } from "../project/trust.ts";
import { excludeSettings, includeSettings } from "./git-exclude.ts";
import { HOOK_SCOPES, type HookEntry, type HookScope } from "./settings/hook-entries.ts";
import { LATER_EVENTS } from "./settings/hook-events.ts";
import { grantsPermission, type PermissionRules } from "./settings/permission.ts";
import {
  checkLinks,
  installedHooks,
  installedRules,
  installHooks,
  type SettingsChange,
  type SettingsPlace,
  uninstallHooks,
} from "./settings/settings-file.ts";
import type { FoundHook } from "./settings/settings-hooks.ts";
import {
  moveUndoRecords,
  type SettingsContext,
  scopeEntries,
  settingsFiles,
  settingsPlace,
} from "./settings/settings-places.ts";

export interface EnableRequest extends SettingsContext, UserDirs {
  project: Project;
  scope: HookScope;
  /** How Claude Code is given leave to ask without a question. */
  leave: PermissionRules;
  /** Whether to adopt a memory that was not made here for this place, and so may come from somebody else. */
  adopt: boolean;
  /** What the project takes over from another place, by the user's choice. */
  from?: { adoptable: Adoptable | null; formerRoots: readonly string[] } | undefined;
  /** Identity of the project's repository, for finding its history after a move. */
  repository?: Repository | undefined;
  now: Date;
}

export interface EnableResult {
  root: string;
  memoryDirectory: string;
  /** `created`, `kept`, `adopted`, or `none` with scope `user` outside git. */
  memory: "created" | "kept" | "adopted" | "none";
  scope: HookScope;
  settings: { file: string; change: SettingsChange }[];
  /** How Claude Code was given leave to ask without a question. */
  leave: PermissionRules;
  /** Settings of this project in another scope, from which the hooks were moved. */
  movedFrom: string[];
  /** Other settings with the same hooks. Claude Code runs identical commands once. */
  alsoIn: string[];
  /** Git's exclude file, if the settings were added to it now. */
  excludedIn: string | null;
}

/**
 * Enables mementor in a project, or in all projects with scope `user`: creates and registers the memory, then writes the hooks.
 * Calling it again changes nothing, repairs what is broken and updates older entries. If it is interrupted between two steps, the
 * state still works. Without `adopt`, rejects with `db_foreign` if there is a database in the tree, or the memory of a project
 * that is missing from its former place.
 */
export function enableProject(request: EnableRequest): EnableResult {
  const { project, scope, configDir, now } = request;
  // Checked before anything is created, so that settings that cannot be edited leave no half-enabled project behind.
  const files = checkEnable(request);
  const own = [...new Set([...files, ...request.leave.files])];
  const adoptable = adoptableFor(request);
  const memory = memoryState(request, adoptable);
  if (memory !== "none")
    registerMemory(request, project.root, {
      now,
      settings: scope === "user" ? [] : own,
      id: adoptable ? takeOver(request, adoptable) : undefined,
      former: request.from?.formerRoots,
      repository: request.repository,
    });
  noteWorktrees(request, project);
  if (scope === "user")
    updateRegistry(configDir, (registry) => ({
      ...registry,
      allProjects: true,
      dataDir: placeFrom(request),
    }));
  const entries = plannedEntries(request);
  moveUndoRecords([...files, ...others(request)], project.root, request);
  const settings = files.map((file) => ({
    file,
    change: installHooks(settingsPlace(file, request), entries, rulesFor(file, request)),
  }));
  const isLocal = scope === "local" || (scope === "project" && grantsPermission(request.leave));
  if (!isLocal) includeSettings(project);
  const movedFrom = formerSettingsFiles(request).filter((file) => removeUnusedHooks(file, request));
  return {
    root: project.root,
    memoryDirectory: memoryPlace(request, project.root).directory,
    memory,
    scope,
    settings,
    leave: request.leave,
    movedFrom,
    alsoIn: others(request).filter((file) => hooksIn(file, request).length > 0),
    excludedIn: isLocal ? excludeSettings(project) : null,
  };
}

/** Returns the permission rules for a settings file; empty if they are unwanted, null if existing ones stay unchanged. */
function rulesFor(file: string, { leave }: EnableRequest): readonly string[] | null {
  if (leave.files.includes(file)) return leave.rules;
  return leave.tracked.includes(file) ? [] : null;
}

/** Removes the hooks from settings that will contain only permission rules, or nothing. Returns whether there were any. */
function removeUnusedHooks(file: string, request: EnableRequest): boolean {
  const place = settingsPlace(file, request);
  const hadHooks = hooksIn(file, request).length > 0;
  uninstallHooks(place);
  if (request.leave.files.includes(file)) installHooks(place, [], request.leave.rules);
  return hadHooks;
}

/**
 * Returns the settings files in which `enableProject` would write hooks. Changes nothing. Throws like `enableProject`, for
 * settings that cannot be edited and for a memory that is not adopted.
 */
export function checkEnable(request: EnableRequest): string[] {
  const files = settingsFiles(request.scope, request.project, request);
  memoryState(request, adoptableFor(request));
  for (const file of new Set([...files, ...request.leave.files])) checkPlace(settingsPlace(file, request));
  return files;
}

/**
 * Returns the hooks that `enableProject` writes. An event must not have both forms, because Claude Code would run both, so the
 * user's hooks for this project are shell lines if other settings have shell lines for it.
 */
export function plannedEntries(request: EnableRequest): HookEntry[] {
  const { scope } = request;
  const hasLines = () => others(request).some((file) => hooksIn(file, request).some(({ isExec }) => !isExec));
  return scopeEntries(scope, {
    ...request,
    program: scope === "local" && hasLines() ? null : request.program,
  });
}

/** Updates the existing hooks of a scope in their current form. Only `enable` checks which form Claude Code supports. */
export function rewriteHooks(scope: HookScope, project: Project, context: SettingsContext): void {
  for (const file of settingsFiles(scope, project, context)) {
    const place = settingsPlace(file, context);
    const found = installedHooks(place);
    const takesLater = found.some(({ event }) => LATER_EVENTS.has(event));
    const program = found.some(({ isExec }) => isExec) ? context.program : null;
    if (found.length > 0) installHooks(place, scopeEntries(scope, { ...context, takesLater, program }));
  }
}

function checkPlace(place: SettingsPlace): void {
  checkLinks(place);
  installedHooks(place);
  installedRules(place, "allow");
}

/** Returns what this project adopts. Throws `db_foreign` if there is something that the user did not ask to adopt. */
function adoptableFor(request: EnableRequest): Adoptable | null {
  const { root } = request.project;
  const origin = memoryOrigin(request, root);
  if (origin === "none") return request.from?.adoptable ?? null;
  if (origin !== "foreign") return null;
  const adoptable = findAdoptable(request, readRegistry(request.configDir), root);
  if (adoptable && !request.adopt) throw notTaken(adoptable);
  return adoptable;
}

function memoryState(request: EnableRequest, adoptable: Adoptable | null): EnableResult["memory"] {
  const { root, isGit, kind } = request.project;
  if (kind === "missing") throw noDirectory(root);
  if (adoptable) return "adopted";
  if (memoryOrigin(request, root) !== "none") return "kept";
  return request.scope === "user" && !isGit ? "none" : "created";
}

function noDirectory(root: string): MementorError {
  return new MementorError("not_found", `There is no directory ${root}.`, {
    hint: "Change to the directory of a project.",
  });
}

/**
 * Returns the settings from which hooks are removed when another scope is chosen. Settings that a team may share
 * stay.
 */
function formerSettingsFiles(request: EnableRequest): string[] {
  return request.scope === "local" ? [] : settingsFiles("local", request.project, request);
}

function others(request: EnableRequest): string[] {
  const scopes = HOOK_SCOPES.filter((scope) => scope !== request.scope);
  return scopes.flatMap((scope) => settingsFiles(scope, request.project, request));
}

/** Returns mementor's hooks in a file; empty if it cannot be read. */
function hooksIn(file: string, request: EnableRequest): FoundHook[] {
  try {
    return installedHooks(settingsPlace(file, request));
  } catch {
    return [];
  }
}
