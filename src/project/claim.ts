import { ensureMemory, memoryAt, newId, type UserDirs } from "./memory.ts";
import { recordOf, updateRegistry, withRecord } from "./registry.ts";
import { writePointer } from "./tree.ts";
import { memoryOrigin, trustOf } from "./trust.ts";

/** Makes the memory of an enabled project that has none, and registers it. Does nothing in any other project. */
export function claimMemory(dirs: UserDirs, root: string, now: Date): void {
  if (trustOf(dirs, root) === "new") registerMemory(dirs, root, { now, settings: [] });
}

export interface Registration {
  now: Date;
  /** Settings files that get our hooks. */
  settings: string[];
  /** False: a project that the user switched off stays off. */
  enables?: boolean;
  /** A memory that is there already, and belongs to this root from now on. */
  id?: string;
}

/**
 * Makes the memory where there is none and registers it: from now on it is trusted. Of several processes that do this
 * at once all get the same memory. It is registered last, so that what an interruption leaves is not trusted.
 */
export function registerMemory(dirs: UserDirs, root: string, given: Registration): void {
  let id = "";
  updateRegistry(dirs.configDir, (registry) => {
    const known = recordOf(registry, root);
    id = given.id ?? known?.id ?? newId();
    // A directory in the place of one that has yet to be moved there would hide it.
    if (memoryOrigin(dirs, root) !== "unmoved") ensureMemory(dirs.dataDir, id);
    const settings = [...new Set([...(known?.settings ?? []), ...given.settings])];
    const since = known?.since ?? given.now.toISOString();
    const enabled = given.enables === false ? (known?.enabled ?? true) : true;
    const projects = registry.projects.filter((record) => record.root === root || record.id !== id);
    return withRecord({ ...registry, projects }, { root, id, since, enabled, settings });
  });
  if (memoryOrigin(dirs, root) === "own")
    writePointer(root, { id, directory: memoryAt(dirs.dataDir, id).directory });
}
