import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensurePrivateDir } from "../io/directory.ts";
import { ioError } from "../io/errors.ts";

/** Where a memory is: its directory (null for a database on its own) and its database. */
export interface MemoryFiles {
  directory: string | null;
  databaseFile: string;
}

/** The user's own directories that hold what must be trusted. */
export interface UserDirs {
  /** Holds the registry of projects. */
  configDir: string;
  /** Holds the memories, each in `projects/<id>/`. */
  dataDir: string;
}

/** The name of a database in its memory's directory. */
export const DATABASE_NAME = "mementor.db";

const ID = /^[0-9a-f]{32}$/;

/** Returns where the memory of this id lies in the user's data directory. */
export function memoryAt(dataDir: string, id: string): { directory: string; databaseFile: string } {
  const directory = join(dataDir, "projects", id);
  return { directory, databaseFile: join(directory, DATABASE_NAME) };
}

/** Returns where a memory is put together before it is moved to its directory in one step. */
export function draftOf(directory: string): string {
  return `${directory}.draft`;
}

/** Makes the directory of a memory, closed to others; what is there stays. */
export function ensureMemory(dataDir: string, id: string): void {
  const { directory } = memoryAt(dataDir, id);
  for (const path of [dataDir, dirname(directory), directory]) ensurePrivateDir(path);
}

/** Makes the directory that a database named by the user goes into. */
export function ensureDirectoryOf(databaseFile: string): void {
  try {
    mkdirSync(dirname(databaseFile), { recursive: true });
  } catch (error) {
    throw ioError(error, `make ${dirname(databaseFile)}`);
  }
}

/** Returns a new random id, which nobody can guess. */
export function newId(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
}

/** Whether a text is an id of a memory, and so safe as a part of a path. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** Deletes a memory with everything in it; a symbolic link goes, and what it points to stays. */
export function deleteMemory(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch (error) {
    throw ioError(error, `delete ${directory}`);
  }
}
