import { dirname, isAbsolute, join, relative } from "node:path";
import { findProject, type Project } from "../../io/git/project.ts";
import { statIfExists } from "../../io/read.ts";
import { findAdoptable } from "../../project/adoptable.ts";
import type { UserDirs } from "../../project/memory.ts";
import { findRecord, type Registry, readRegistry } from "../../project/registry.ts";
import {
  type HookEntry,
  type HookOptions,
  type HookScope,
  type HookShell,
  hookEntries,
  isOwnCommand,
} from "./hook-entries.ts";
import { moveUndoRecord, type SettingsPlace } from "./settings-file.ts";

/** How to find settings and mementor's entries in them. */
export interface SettingsContext {
  /** `${CLAUDE_CONFIG_DIR:-~/.claude}`. */
  claudeDir: string;
  /** `~/.config/mementor`; backups of settings are below it. */
  configDir: string;
  /** The command that starts this program, with absolute paths. */
  self: readonly string[];
  platform: NodeJS.Platform;
  /** Directory of an organisation's settings for all users of the machine; the usual one when absent. */
  policyDir?: string;
  /** The shell that Claude Code starts hooks with; `sh` when absent. */
  shell?: HookShell;
  /** True if the installed Claude Code takes what older ones do not: later events, and the exec form. False when absent. */
  takesLater?: boolean;
  /** Absolute path of the program that hooks in the exec form start; no hook gets that form when null or absent. */
  program?: string | null | undefined;
}

/**
 * Lists the settings files of a scope that Claude Code reads in this project: those of the primary worktree and, in a
 * linked worktree, its own too, since Claude Code looks in the directory that it runs in.
 */
export function settingsFiles(scope: HookScope, project: Project, { claudeDir }: SettingsContext): string[] {
  if (scope === "user") return [join(claudeDir, "settings.json")];
  const name = scope === "project" ? "settings.json" : "settings.local.json";
  const { root, worktreeRoot } = project;
  const hasPrimary = root === worktreeRoot || findProject(root).kind !== "bare";
  return [...new Set([...(hasPrimary ? [root] : []), worktreeRoot])].map((top) => join(top, ".claude", name));
}

/** Returns mementor's hooks for a scope. Shared settings have the same text for all people, systems and versions. */
export function scopeEntries(
  scope: HookScope,
  { shell, takesLater, program }: Pick<HookOptions, "shell" | "takesLater" | "program">,
): HookEntry[] {
  return scope === "project" ? hookEntries() : hookEntries({ shell, takesLater, program });
}

/** Returns how to edit a settings file. */
export function settingsPlace(file: string, context: SettingsContext): SettingsPlace {
  const { claudeDir, configDir, self, platform } = context;
  const isOwn = (command: string) => isOwnCommand(command, self, platform);
  // The user's own settings may be anywhere. Settings in a project came with it.
  const within = dirname(file) === claudeDir ? null : dirname(dirname(file));
  return { file, backupDir: join(configDir, "backups"), isOwn, within };
}

/**
 * Moves the records of the project's original settings from its former places to its current one. Without them, the hooks could
 * be removed, but not the file that was created for them.
 */
export function moveUndoRecords(
  files: readonly string[],
  root: string,
  context: SettingsContext & UserDirs,
): void {
  const roots = formerRootsOf(context, readRegistry(context.configDir), root);
  for (const formerRoot of roots.filter((path) => statIfExists(path) === null))
    for (const file of files) {
      const within = relative(root, file);
      if (within.startsWith("..") || isAbsolute(within)) continue;
      moveUndoRecord(settingsPlace(join(formerRoot, within), context), settingsPlace(file, context));
    }
}

/** Returns the root that is registered for a project which was moved and not adopted; null for any other project. */
export function movedRoot(dirs: UserDirs, registry: Registry, root: string): string | null {
  if (findRecord(registry, root) !== null) return null;
  const found = findAdoptable(dirs, registry, root);
  return found?.kind === "memory" ? found.formerRoot : null;
}

function formerRootsOf(dirs: UserDirs, registry: Registry, root: string): string[] {
  const pointed = movedRoot(dirs, registry, root);
  return [...(findRecord(registry, root)?.former ?? []), ...(pointed === null ? [] : [pointed])];
}
