import { BUSY_TIMEOUT_MS } from "../../constants.ts";
import { type MementorError, toMementorError } from "../../errors.ts";
import { type ProjectMemory, type ProjectName, userMemories } from "../../project/memories.ts";
import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";

/** A memory that was left out, and why. */
export interface LeftOut {
  project: ProjectName;
  /** Null when the memory was not opened at all. */
  error: MementorError | null;
  reason: string | null;
}

/** The memories of all of the user's projects, this project's first, then the one used last. */
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

/** Opens a memory for reading. Waits only briefly for a process that locks it: there are others to read. */
export function openMemory(runtime: Runtime, memory: ProjectMemory): Promise<SqliteStore> {
  return runtime.openMemory(memory, { busyTimeoutMs: BUSY_TIMEOUT_MS.hook });
}

/** What was read in each memory, and which memories could not be read. */
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
