import { join } from "node:path";
import { statIfExists } from "../io/read.ts";
import { findAdoptable } from "./adoptable.ts";
import { DATABASE_NAME, draftOf, memoryAt, type UserDirs } from "./memory.ts";
import { type Registry, readRegistry, recordOf } from "./registry.ts";
import { oldIdIn, treeDirectory } from "./tree.ts";

/**
 * Where the memory of a project comes from. `own`: it was made here. `unmoved`: an older version made it inside the
 * project, and it has to be moved first. `foreign`: it was not made here, or was made for another place. `none`:
 * there is no memory.
 */
export type MemoryOrigin = "none" | "own" | "unmoved" | "foreign";

/**
 * What hooks may do in a project. `trusted`: use its memory. `new`: create its memory with `claimMemory`. `off`:
 * nothing, since the user did not enable it. `unmoved` and `foreign` are as in `MemoryOrigin`.
 */
export type Trust = "trusted" | "new" | "off" | "unmoved" | "foreign";

/**
 * Returns whether hooks may use the memory of a project. `root` is a real path. Never throws.
 *
 * A memory can put words into Claude's mouth. Whoever can push to a repository or pack an archive can put any file
 * into the project's tree, ignored files included. So nothing in the tree is trusted: only the registry in the user's
 * own directory says which memory belongs to which root.
 */
export function trustOf(
  dirs: UserDirs,
  root: string,
  registry: Registry = readRegistry(dirs.configDir),
): Trust {
  const record = recordOf(registry, root);
  if (!(record?.enabled ?? registry.allProjects)) return "off";
  const origin = memoryOrigin(dirs, root, registry);
  if (origin === "own") return "trusted";
  return origin === "none" ? "new" : origin;
}

/** Whether hooks may use the memory of a project; see `trustOf`. */
export function isTrusted(dirs: UserDirs, root: string): boolean {
  return trustOf(dirs, root) === "trusted";
}

/** Returns where the memory of a project comes from, enabled or not. Never throws. */
export function memoryOrigin(
  dirs: UserDirs,
  root: string,
  registry: Registry = readRegistry(dirs.configDir),
): MemoryOrigin {
  const id = recordOf(registry, root)?.id ?? null;
  if (id === null) return findAdoptable(dirs, registry, root) ? "foreign" : "none";
  const { directory } = memoryAt(dirs.dataDir, id);
  if (statIfExists(directory)) return "own";
  const isUnmoved = oldIdIn(treeDirectory(root)) === id || statIfExists(draftOf(directory));
  return isUnmoved ? "unmoved" : "none";
}

/** The place of a memory. */
export interface MemoryPlace {
  /** In the user's data directory; null when the database was named with `--db`. */
  directory: string | null;
  databaseFile: string;
}

/**
 * Returns the place of a project's memory. For a project without one, returns the place that older versions would use
 * in its tree.
 */
export function memoryPlace(
  dirs: UserDirs,
  root: string,
  registry: Registry = readRegistry(dirs.configDir),
): MemoryPlace & { directory: string } {
  const id = recordOf(registry, root)?.id ?? null;
  if (id !== null) return memoryAt(dirs.dataDir, id);
  const directory = treeDirectory(root);
  return { directory, databaseFile: join(directory, DATABASE_NAME) };
}
