import { join } from "node:path";
import { remoteUrl } from "../io/git/gitdir.ts";
import { realPathIfExists, statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import { findAdoptable, memoryElsewhere } from "./adoptable.ts";
import { DATABASE_NAME, draftDirectory, memoryPaths, type UserDirs } from "./memory.ts";
import { findRecord, type Registry, readRegistry, updateRegistry, withRecord } from "./registry.ts";
import { readOldId, treeDirectory } from "./tree.ts";

/**
 * Where the memory of a project comes from. `own`: it was made here. `unmoved`: an older version made it inside the
 * project, and it has to be moved first. `foreign`: it was not made here, was made for another place, or lies in another directory
 * than the user's others. `none`: there is no memory.
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
export function projectTrust(
  dirs: UserDirs,
  root: string,
  registry: Registry = readRegistry(dirs.configDir),
): Trust {
  const record = findRecord(registry, root);
  if (dirs.isUnconfirmed || !(record?.enabled ?? registry.allProjects)) return "off";
  const origin = memoryOrigin(dirs, root, registry);
  if (origin === "own") return "trusted";
  return origin === "none" ? "new" : origin;
}

/** Tells whether hooks may use the memory of a project; see `projectTrust`. */
export function isTrusted(dirs: UserDirs, root: string): boolean {
  return projectTrust(dirs, root) === "trusted";
}

/** Returns where the memory of a project comes from, enabled or not. Never throws. */
export function memoryOrigin(
  dirs: UserDirs,
  root: string,
  registry: Registry = readRegistry(dirs.configDir),
): MemoryOrigin {
  const id = findRecord(registry, root)?.id ?? null;
  if (id !== null && memoryElsewhere(dirs, id)) return "foreign";
  if (dirs.isUnconfirmed) return "none";
  if (id === null) return findAdoptable(dirs, registry, root) ? "foreign" : "none";
  const { directory } = memoryPaths(dirs.dataDir, id);
  if (statIfExists(directory)) return "own";
  const isUnmoved = readOldId(treeDirectory(root)) === id || statIfExists(draftDirectory(directory));
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
  const id = findRecord(registry, root)?.id ?? null;
  if (id !== null) return memoryPaths(dirs.dataDir, id);
  const directory = treeDirectory(root);
  return { directory, databaseFile: join(directory, DATABASE_NAME) };
}

/** Returns what the user's other machines and colleagues call a project, as its user confirmed here; null before that. */
export function confirmedName({ configDir }: Pick<UserDirs, "configDir">, root: string): string | null {
  return findRecord(readRegistry(configDir), root)?.name ?? null;
}

/**
 * Returns the name that a project's own files claim: the URL it was cloned from. An archive can claim any name, so nothing is
 * sent, fetched or shown under it until the user confirms it. Null without a remote.
 */
export function claimedName(root: string): string | null {
  const remote = remoteUrl(root);
  return remote === null || /^[./\\]|^[A-Za-z]:[\\/]/.test(remote) ? null : remote;
}

/** Records that a user confirmed what a registered project is called. */
export function confirmName({ configDir }: Pick<UserDirs, "configDir">, root: string, name: string): void {
  updateRegistry(configDir, (registry) => {
    const record = findRecord(registry, root);
    return record === null ? registry : withRecord(registry, { ...record, name });
  });
}

/** Lists the other projects of this machine that are called so, or say that they are. */
export function othersNamed({ projects }: Registry, root: string, name: string): string[] {
  return projects
    .filter((record) => record.root !== root && (record.name ?? claimedName(record.root)) === name)
    .map((record) => record.root);
}

/**
 * Tells whether a path in a project leaves it through a link. The link may have come with the project, so naming `./old` is no
 * consent to its target. `root` is a real path.
 */
export function leadsOut(path: string, root: string): boolean {
  const real = realPathIfExists(path);
  return real !== null && SYSTEM.isWithin(path, root) && !SYSTEM.isWithin(real, root);
}
