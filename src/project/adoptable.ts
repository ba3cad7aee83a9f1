import { join } from "node:path";
import { statIfExists } from "../io/read.ts";
import { isDatabaseFile } from "../store/sqlite/file/head.ts";
import { DATABASE_NAME, memoryPaths, type UserDirs } from "./memory.ts";
import { findRecord, type Registry } from "./registry.ts";
import { readPointer, treeDirectory } from "./tree.ts";

/**
 * What a project without a memory can adopt if the user asks for it. `memory`: a memory on this machine whose project
 * is gone from its former place. `elsewhere`: its own memory, in another directory than the user's others. `database`: a database in
 * the tree, which may come from anybody. `copy`: the memory of another clone, which keeps it.
 */
export type Adoptable =
  | { kind: "memory"; id: string; directory: string; formerRoot: string | null }
  | { kind: "elsewhere"; id: string; directory: string; dataDir: string }
  | { kind: "database"; file: string }
  | { kind: "copy"; file: string; root: string };

/** Finds what the project can adopt; null when there is nothing. Reads no more of the tree than necessary. */
export function findAdoptable(dirs: UserDirs, registry: Registry, root: string): Adoptable | null {
  const id = findRecord(registry, root)?.id ?? null;
  const elsewhere = id === null ? null : memoryElsewhere(dirs, id);
  return elsewhere ?? findAbandonedMemory(dirs.dataDir, registry, root) ?? databaseIn(root);
}

/**
 * Finds a memory that is not with the user's others, but in another directory that was named once or is usual. An empty one would
 * hide it.
 */
export function memoryElsewhere(
  { dataDir, otherDataDirs = [] }: UserDirs,
  id: string,
): Extract<Adoptable, { kind: "elsewhere" }> | null {
  if (statIfExists(memoryPaths(dataDir, id).directory)) return null;
  const other = otherDataDirs.find((place) => statIfExists(memoryPaths(place, id).databaseFile));
  if (other === undefined) return null;
  return { kind: "elsewhere", id, directory: memoryPaths(other, id).directory, dataDir };
}

/** The pointer counts only if no other existing project has the memory. */
function findAbandonedMemory(dataDir: string, { projects }: Registry, root: string): Adoptable | null {
  const id = readPointer(root);
  if (id === null) return null;
  const { directory } = memoryPaths(dataDir, id);
  if (!statIfExists(directory)?.isDirectory()) return null;
  const formerRoot = projects.find((record) => record.id === id)?.root ?? null;
  const isGone = formerRoot === null || formerRoot === root || !statIfExists(formerRoot);
  return isGone ? { kind: "memory", id, directory, formerRoot } : null;
}

function databaseIn(root: string): Adoptable | null {
  const file = join(treeDirectory(root), DATABASE_NAME);
  return isDatabaseFile(file) ? { kind: "database", file } : null;
}
