import { statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import { type DatabaseSummary, describeDatabase, vacuumInto } from "../store/sqlite/file/copy.ts";
import type { Adoptable } from "./adoptable.ts";
import { deleteMemory, ensureMemory, memoryPaths, newId, type UserDirs } from "./memory.ts";

/** A memory to adopt: its place, and its content if that can be counted. */
export interface AdoptRequest {
  from: string;
  /** The project's former place; null when it is unknown or has not changed. */
  formerRoot: string | null;
  holds: DatabaseSummary | null;
}

/** Describes what would be adopted. Opens the database, so call this only if the user asked to adopt it. */
export function describeTaking(dirs: UserDirs, adoptable: Adoptable): AdoptRequest {
  if (adoptable.kind === "copy")
    return { from: adoptable.file, formerRoot: adoptable.root, holds: describeDatabase(adoptable.file) };
  if (adoptable.kind === "database")
    return { from: adoptable.file, formerRoot: null, holds: describeDatabase(adoptable.file) };
  const { directory, databaseFile } = memoryPaths(dirs.dataDir, adoptable.id);
  const holds = statIfExists(databaseFile) ? describeDatabase(databaseFile) : null;
  return { from: directory, formerRoot: adoptable.formerRoot, holds };
}

/**
 * Adopts a memory and returns its id. Copies a database in the tree. Does not register the memory.
 *
 * @throws `io` or `not_writable` when there can be no directory for the memory, SQLite's own error when the database
 *   cannot be copied; the directory is gone then.
 */
export function takeOver({ dataDir }: UserDirs, adoptable: Adoptable): string {
  if (adoptable.kind === "memory") return adoptable.id;
  const id = newId();
  const { directory, databaseFile } = memoryPaths(dataDir, id);
  ensureMemory(dataDir, id);
  try {
    vacuumInto(adoptable.file, databaseFile);
  } catch (error) {
    deleteMemory(directory);
    throw error;
  }
  return id;
}

/** Deletes a database in the tree after it was copied: it must not keep what is forgotten later. */
export function removeTaken(adoptable: Adoptable): void {
  if (adoptable.kind !== "database") return;
  for (const suffix of ["", "-wal", "-shm", "-journal"]) SYSTEM.remove(adoptable.file + suffix);
}
