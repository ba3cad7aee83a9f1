import { statIfExists } from "../../io/read.ts";
import { memoryAt } from "../../project/memory.ts";
import type { ProjectRecord } from "../../project/registry.ts";

/** A memory that an uninstallation leaves, or deletes. */
export interface LeftMemory {
  root: string;
  directory: string;
  /** Size of its database, bytes. */
  bytes: number;
}

/** Lists the memories of projects that have a database. */
export function memoriesOf(dataDir: string, projects: readonly ProjectRecord[]): LeftMemory[] {
  return projects.flatMap(({ root, id }) => {
    if (id === null) return [];
    const { directory, databaseFile } = memoryAt(dataDir, id);
    const stats = statIfExists(databaseFile);
    return stats ? [{ root, directory, bytes: stats.size }] : [];
  });
}
