import { isAbsolute, join, relative } from "node:path";
import { statIfExists } from "../io/read.ts";
import { findAdoptable } from "../project/adoptable.ts";
import type { UserDirs } from "../project/memory.ts";
import { type Registry, readRegistry, recordOf } from "../project/registry.ts";
import { carryEdit } from "./settings-file.ts";
import { type SettingsContext, settingsPlace } from "./settings-places.ts";

/**
 * Moves what is known about the project's settings before mementor's hooks were added, from the places where the project
 * was to where it is. Without this, the hooks could be removed, but not the file that was created for them.
 */
export function carryEdits(
  files: readonly string[],
  root: string,
  context: SettingsContext & UserDirs,
): void {
  const roots = formerRootsOf(context, readRegistry(context.configDir), root);
  for (const formerRoot of roots.filter((path) => statIfExists(path) === null))
    for (const file of files) {
      const within = relative(root, file);
      if (within.startsWith("..") || isAbsolute(within)) continue;
      carryEdit(settingsPlace(join(formerRoot, within), context), settingsPlace(file, context));
    }
}

/** Returns the root that is registered for a project which was moved and not adopted; null for any other project. */
export function movedFrom(dirs: UserDirs, registry: Registry, root: string): string | null {
  if (recordOf(registry, root) !== null) return null;
  const found = findAdoptable(dirs, registry, root);
  return found?.kind === "memory" ? found.formerRoot : null;
}

function formerRootsOf(dirs: UserDirs, registry: Registry, root: string): string[] {
  const pointed = movedFrom(dirs, registry, root);
  return [...(recordOf(registry, root)?.former ?? []), ...(pointed === null ? [] : [pointed])];
}
