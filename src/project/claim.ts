import { memoryElsewhere } from "./adoptable.ts";
import { placeFrom } from "./data-place.ts";
import { ensureMemory, memoryPaths, newId, type UserDirs } from "./memory.ts";
import { notTaken } from "./refusal.ts";
import { findRecord, type ProjectRecord, updateRegistry, withRecord } from "./registry.ts";
import { writePointer } from "./tree.ts";
import { memoryOrigin, projectTrust } from "./trust.ts";

/** Creates and registers the memory of an enabled project that has none. Does nothing in any other project. */
export function claimMemory(dirs: UserDirs, root: string, now: Date): void {
  if (projectTrust(dirs, root) === "new") registerMemory(dirs, root, { now, settings: [] });
}

export interface Registration {
  now: Date;
  /** Settings files that get mementor's hooks. */
  settings: string[];
  /** Configurations of agents that start the MCP server for this project. */
  servers?: readonly string[];
  /** If false, a disabled project stays disabled. */
  enables?: boolean;
  /** Id of an existing memory that belongs to this root from now on. */
  id?: string | undefined;
  /** Roots where the project was before. */
  former?: readonly string[] | undefined;
  repository?: ProjectRecord["repository"] | undefined;
}

/**
 * Creates the memory if there is none, and registers it, which makes it trusted. If several processes do this at
 * once, all get the same memory. Registers it last, so that an incomplete memory is never trusted.
 *
 * @throws `db_foreign` when the memory lies in another directory than the user's others.
 */
export function registerMemory(dirs: UserDirs, root: string, given: Registration): void {
  let id = "";
  updateRegistry(dirs.configDir, (registry) => {
    const known = findRecord(registry, root);
    id = given.id ?? known?.id ?? newId();
    makeDirectory(dirs, root, id);
    const settings = [...new Set([...(known?.settings ?? []), ...given.settings])];
    const since = known?.since ?? given.now.toISOString();
    const enabled = given.enables === false ? (known?.enabled ?? true) : true;
    const projects = registry.projects
      .filter((record) => record.root === root || record.id !== id)
      .map((record) => withoutWorktree(record, root));
    // A memory that belonged to another root moves along with that root's own past.
    const before = registry.projects.filter((record) => record.id === id && record.root !== root);
    const movedFrom = before.flatMap((record) => [...(record.former ?? []), record.root]);
    const worktrees = [known, ...before].flatMap((record) => record?.worktrees ?? []);
    const servers = [
      ...[known, ...before].flatMap((record) => record?.servers ?? []),
      ...(given.servers ?? []),
    ];
    const former = [...new Set([...(known?.former ?? []), ...movedFrom, ...(given.former ?? [])])].filter(
      (path) => path !== root,
    );
    return withRecord(
      { ...registry, projects, dataDir: placeFrom(dirs) },
      {
        root,
        id,
        since,
        enabled,
        settings,
        ...(servers.length > 0 && { servers: [...new Set(servers)] }),
        ...(former.length > 0 && { former }),
        ...(worktrees.length > 0 && { worktrees: [...new Set(worktrees)] }),
        ...(given.repository && { repository: given.repository }),
      },
    );
  });
  if (memoryOrigin(dirs, root) === "own")
    writePointer(root, { id, directory: memoryPaths(dirs.dataDir, id).directory });
}

/** Makes the directory of a memory, unless it would hide one that has yet to be moved there, or taken along. */
function makeDirectory(dirs: UserDirs, root: string, id: string): void {
  const elsewhere = memoryElsewhere(dirs, id);
  if (elsewhere !== null) throw notTaken(elsewhere);
  if (memoryOrigin(dirs, root) !== "unmoved") ensureMemory(dirs.dataDir, id);
}

/** Removes a root from a record's worktrees, because a registered project is not another one's worktree. */
function withoutWorktree(record: ProjectRecord, root: string): ProjectRecord {
  const { worktrees } = record;
  return worktrees?.includes(root)
    ? { ...record, worktrees: worktrees.filter((path) => path !== root) }
    : record;
}
