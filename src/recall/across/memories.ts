import { relative, resolve, sep } from "node:path";
import { BUSY_TIMEOUT_MS } from "../../constants.ts";
import { MementorError, toMementorError } from "../../errors.ts";
import { findProject } from "../../io/git/project.ts";
import { statIfExists } from "../../io/read.ts";
import { findProjectAt } from "../../project/histories.ts";
import { type ProjectMemory, type ProjectName, userMemories } from "../../project/memories.ts";
import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";

/** A memory that was left out, with the reason. */
export interface LeftOut {
  project: ProjectName;
  /** Null when the memory was not opened at all. */
  error: MementorError | null;
  reason: string | null;
}

/** Lists the memories of all the user's projects: this project's first, then by last use. */
export function allMemories(runtime: Runtime): { memories: ProjectMemory[]; leftOut: LeftOut[] } {
  const { memories, refused } = userMemories(runtime.paths, runtime.host.uid);
  const { root } = runtime.project;
  return {
    memories: [
      ...memories.filter((memory) => memory.root === root),
      ...memories.filter((memory) => memory.root !== root),
    ],
    leftOut: refused.map(({ project, reason }) => ({ project, error: null, reason })),
  };
}

/** Opens a memory for reading. Waits only briefly for a process that locks it, because there are others to read. */
export function openMemory(runtime: Runtime, memory: ProjectMemory): Promise<SqliteStore> {
  return runtime.openMemory(memory, { busyTimeoutMs: BUSY_TIMEOUT_MS.hook });
}

/** The results of reading each memory, and the memories that could not be read. */
export interface ReadEach<Result> {
  read: { project: ProjectMemory; result: Result }[];
  leftOut: LeftOut[];
}

/** Opens the memories of all projects one after the other, and reads something in each. */
export async function readEach<Result>(
  runtime: Runtime,
  look: (store: SqliteStore, project: ProjectMemory) => Promise<Result>,
): Promise<ReadEach<Result>> {
  const { memories, leftOut } = allMemories(runtime);
  const all: ReadEach<Result> = { read: [], leftOut };
  for (const project of memories) {
    try {
      const store = await openMemory(runtime, project);
      all.read.push({ project, result: await look(store, project).finally(() => store.close()) });
    } catch (error) {
      all.leftOut.push({ project, error: toMementorError(error), reason: null });
    }
  }
  return all;
}

/** Maximum names to suggest. */
const SUGGESTED = 10;

/**
 * Finds the memory of a project by a path in it or by its name. Rejects with `not_found` when the user's registry, the only list
 * of memories, has no such project.
 */
export function findMemory(runtime: Runtime, typed: string, cwd: string): ProjectMemory {
  const { memories } = allMemories(runtime);
  const path = resolve(cwd, typed);
  const { root } = findProjectAt(path);
  const found =
    memories.find((memory) => memory.name === typed) ??
    memories.find((memory) => memory.root === path || memory.root === root);
  if (found) return found;
  const names = memories.slice(0, SUGGESTED).map(({ name }) => name);
  throw new MementorError("not_found", `There is no project "${typed}" with a memory.`, {
    hint: names.length === 0 ? "There are no memories yet." : `Known projects: ${names.join(", ")}.`,
  });
}

/** Maximum steps up in a relative path; with more, the absolute path is easier to read. */
const MAX_STEPS_UP = 2;

/**
 * Returns the options that name a memory on the user's next command line; none for the memory of the directory where that is
 * typed. A memory whose project is missing is named by its file.
 */
export function namedFrom(
  { host: { cwd }, memoryOptions }: Pick<Runtime, "host" | "memoryOptions">,
  { root, databaseFile }: ProjectMemory,
): string[] {
  if (!statIfExists(root)?.isDirectory() || findProject(root).root !== root) return ["--db", databaseFile];
  // With -C, the next command line is typed elsewhere than in `cwd`.
  if (memoryOptions.length > 0) return ["-C", root];
  return findProject(cwd).root === root ? [] : ["-C", shortPath(cwd, root)];
}

/**
 * Rejects a command line that names a database, which is one memory, together with all projects.
 *
 * @throws `usage` for such a command line.
 */
export function refuseDatabase({ memoryOptions }: Pick<Runtime, "memoryOptions">): void {
  if (memoryOptions[0] !== "--db") return;
  throw new MementorError("usage", "--db names one memory, and --all-projects reads those of all projects.", {
    hint: "Use only one of them.",
  });
}

function shortPath(cwd: string, path: string): string {
  const way = relative(cwd, path) || ".";
  const stepsUp = way.split(sep).filter((name) => name === "..").length;
  const short = stepsUp <= MAX_STEPS_UP && way.length < path.length ? way : path;
  return short.startsWith("-") ? `./${short}` : short;
}
