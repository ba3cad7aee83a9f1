import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensurePrivateDir } from "../io/directory.ts";
import { ioError } from "../io/errors.ts";
import { readIfExists, statIfExists } from "../io/read.ts";
import { writeAtomic } from "../io/write.ts";

/** Where a memory is: its directory (null for a database on its own) and its database. */
export interface MemoryFiles {
  directory: string | null;
  databaseFile: string;
}

/** The name of a project's memory in its root. */
export const MEMORY_DIRECTORY = ".mementor";

const IDENTITY_FILE = "id";

/** Returns the memory's place in a project. */
export function memoryAt(root: string): { directory: string; databaseFile: string } {
  const directory = join(root, MEMORY_DIRECTORY);
  return { directory, databaseFile: join(directory, "mementor.db") };
}

/** Makes the directory of a memory, closed to others and ignored by git; what is there stays. */
export function ensureMemory({ directory, databaseFile }: MemoryFiles): void {
  if (directory === null) {
    try {
      mkdirSync(dirname(databaseFile), { recursive: true });
    } catch (error) {
      throw ioError(error, `make ${dirname(databaseFile)}`);
    }
    return;
  }
  ensurePrivateDir(directory);
  const ignore = join(directory, ".gitignore");
  if (!statIfExists(ignore)) writeAtomic(ignore, "*\n", { mode: 0o600 });
}

/** Returns the random name that the memory was given here; null when it has none. Never throws. */
export function identityOf(directory: string): string | null {
  try {
    const id = readIfExists(join(directory, IDENTITY_FILE))?.trim() ?? "";
    return /^[0-9a-f]{32}$/.test(id) ? id : null;
  } catch {
    return null;
  }
}

/** Gives the memory a new random name and returns it. */
export function giveIdentity(directory: string): string {
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
  writeAtomic(join(directory, IDENTITY_FILE), `${id}\n`, { mode: 0o600 });
  return id;
}

/** Deletes a memory with everything in it; a symbolic link goes, and what it points to stays. */
export function deleteMemory(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch (error) {
    throw ioError(error, `delete ${directory}`);
  }
}
