import { lstatSync } from "node:fs";
import { basename, dirname } from "node:path";
import { statIfExists } from "../io/read.ts";
import { memoryPaths, type UserDirs } from "./memory.ts";
import { readRegistry } from "./registry.ts";

/** A registered project as results name it. */
export interface ProjectName {
  /** The shortest end of its path that distinguishes it from the user's other projects. */
  name: string;
  /** Real path of the project, which may be missing. */
  root: string;
}

/** The memory of a registered project. */
export interface ProjectMemory extends ProjectName {
  id: string;
  databaseFile: string;
}

/** The memories of the user's projects, most recently used first, and those that must not be opened. */
export interface UserMemories {
  memories: ProjectMemory[];
  refused: { project: ProjectName; reason: string }[];
}

/**
 * Lists the memories of all projects in the user's registry. Never throws.
 *
 * The registry is the only list of memories. Each must be in the user's data directory, as the user's real files: a link could
 * lead to somebody else's database. Two projects cannot share a memory.
 */
export function userMemories(
  { configDir, dataDir, isUnconfirmed }: UserDirs,
  uid: number | null,
): UserMemories {
  const { projects } = isUnconfirmed ? { projects: [] } : readRegistry(configDir);
  const names = distinctNames(projects.map(({ root }) => root));
  const found: UserMemories = { memories: [], refused: [] };
  const taken = new Set<string>();
  for (const { root, id } of projects) {
    if (id === null) continue;
    const { directory, databaseFile } = memoryPaths(dataDir, id);
    if (!isPresent(databaseFile)) continue;
    const project = { name: names.get(root) ?? root, root };
    if (!isRealAndOwn([directory, databaseFile], uid))
      found.refused.push({ project, reason: "its memory was not made here" });
    else if (taken.has(id)) found.refused.push({ project, reason: "its memory belongs to another project" });
    else found.memories.push({ ...project, id, databaseFile });
    taken.add(id);
  }
  const lastUse = new Map(found.memories.map((memory) => [memory, lastUseOf(memory)]));
  found.memories.sort((a, b) => (lastUse.get(b) ?? 0) - (lastUse.get(a) ?? 0));
  return found;
}

/** Returns for each path its shortest end that no other path has. */
export function distinctNames(roots: readonly string[]): Map<string, string> {
  return new Map(roots.map((root) => [root, distinctName(root, roots)]));
}

function distinctName(root: string, roots: readonly string[]): string {
  let name = basename(root);
  let above = dirname(root);
  const isShared = () => roots.some((other) => other !== root && endsWithNames(other, name));
  while (name !== "" && isShared() && dirname(above) !== above) {
    name = `${basename(above)}/${name}`;
    above = dirname(above);
  }
  return name === "" || isShared() ? root : name;
}

function endsWithNames(path: string, names: string): boolean {
  const plain = path.replaceAll("\\", "/");
  return plain === names || plain.endsWith(`/${names}`);
}

function isPresent(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function isRealAndOwn([directory = "", file = ""]: readonly string[], uid: number | null): boolean {
  const [folder, database] = [lstatSync(directory), lstatSync(file)];
  const isOwn = uid === null || (folder.uid === uid && database.uid === uid);
  return isOwn && folder.isDirectory() && database.isFile();
}

function lastUseOf({ databaseFile }: ProjectMemory): number {
  return Math.max(...["", "-wal"].map((suffix) => statIfExists(databaseFile + suffix)?.mtimeMs ?? 0));
}
