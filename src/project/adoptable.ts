import { join } from "node:path";
import { statIfExists } from "../io/read.ts";
import { isDatabaseFile } from "../store/sqlite/file/head.ts";
import { DATABASE_NAME, memoryPaths, type UserDirs } from "./memory.ts";
import type { Registry } from "./registry.ts";
import { readPointer, treeDirectory } from "./tree.ts";

/**
 * What a project without a memory can adopt if the user asks for it. `memory`: a memory on this machine whose project
 * is gone from its former place. `database`: a database in the tree, which may come from anybody. `copy`: the memory of
 * another clone, which keeps it.
 */
export type Adoptable =
  | { kind: "memory"; id: string; directory: string; formerRoot: string | null }
  | { kind: "database"; file: string }
  | { kind: "copy"; file: string; root: string };

/** Finds what the project can adopt; null when there is nothing. Reads no more of the tree than necessary. */
export function findAdoptable({ dataDir }: UserDirs, registry: Registry, root: string): Adoptable | null {
  return leftBehind(dataDir, registry, root) ?? databaseIn(root);
}

/** The pointer counts only if no other existing project has the memory. */
function leftBehind(dataDir: string, { projects }: Registry, root: string): Adoptable | null {
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
