import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { ioError } from "../io/errors.ts";
import { statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import { ensurePrivateDir } from "../io/write.ts";

/** The place of a memory: its directory (null for a database that was named with `--db`) and its database. */
export interface MemoryFiles {
  directory: string | null;
  databaseFile: string;
}

/** The user's directories with trusted files. */
export interface UserDirs {
  /** Holds the registry of projects. */
  configDir: string;
  /** Holds the memories, each in `projects/<id>/`. */
  dataDir: string;
  /** Other directories in which memories of the registry may lie. */
  otherDataDirs?: readonly string[];
  /** True if nobody confirmed that the memories lie in `dataDir`. */
  isUnconfirmed?: boolean;
  /** Variables that named other directories and were not believed. */
  refused?: readonly string[] | undefined;
}

/** The name of a database in its memory's directory. */
export const DATABASE_NAME = "mementor.db";

const ID = /^[0-9a-f]{32}$/;

/** Returns the place of the memory with this id in the user's data directory. */
export function memoryPaths(dataDir: string, id: string): { directory: string; databaseFile: string } {
  const directory = join(dataDir, "projects", id);
  return { directory, databaseFile: join(directory, DATABASE_NAME) };
}

/** Returns the size in bytes of a database and its write-ahead log; null when there is none. */
export function databaseBytes(databaseFile: string): number | null {
  const file = statIfExists(databaseFile);
  return file && file.size + (statIfExists(`${databaseFile}-wal`)?.size ?? 0);
}

/** Returns where a memory is assembled before it is moved to its directory in one step. */
export function draftDirectory(directory: string): string {
  return `${directory}.draft`;
}

/** Creates the directory of a memory, closed to other users. Keeps existing files. */
export function ensureMemory(dataDir: string, id: string): void {
  const { directory } = memoryPaths(dataDir, id);
  for (const path of [dataDir, dirname(directory), directory]) ensurePrivateDir(path);
}

/**
 * Creates the directory for a database that the user named.
 *
 * @throws `io` when it cannot be made.
 */
export function ensureDirectoryOf(databaseFile: string): void {
  try {
    mkdirSync(dirname(databaseFile), { recursive: true });
  } catch (error) {
    throw ioError(error, `make ${dirname(databaseFile)}`);
  }
}

/** Returns a new, unguessable random id. */
export function newId(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
}

/** Tells whether a text is the id of a memory, and so safe as part of a path. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/**
 * Deletes a memory with everything in it. Deletes symbolic links, not their targets.
 *
 * @throws `io` when it cannot be deleted.
 */
export function deleteMemory(directory: string): void {
  try {
    SYSTEM.remove(directory);
  } catch (error) {
    throw ioError(error, `delete ${directory}`);
  }
}

/** Returns the path of a file beside a database, such as a lock. */
export function besideDatabase({ databaseFile }: Pick<MemoryFiles, "databaseFile">, name: string): string {
  return join(dirname(databaseFile), name);
}
