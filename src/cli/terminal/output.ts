import { closeSync, openSync, readSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { MementorError } from "../../errors.ts";
import { realPathIfExists, statIfExists } from "../../io/read.ts";
import type { Runtime } from "../../runtime.ts";

const SQLITE_HEADER = "SQLite format 3\0";

/**
 * Returns the absolute path of a file to write. Throws `usage` when it must not be written: a directory or a link to
 * one, a device or pipe, a database, or anything that belongs to a memory or to mementor.
 */
export function outputFile(typed: string, option: string, runtime: Runtime): string {
  const file = resolve(runtime.host.cwd, typed);
  const reason = refusal(file, runtime);
  if (reason === null) return file;
  throw new MementorError("usage", `Cannot write to ${file}: ${reason}.`, {
    hint: `Name another file with ${option}.`,
  });
}

function refusal(file: string, runtime: Runtime): string | null {
  const { paths } = runtime;
  const memory = runtime.databaseUrl === null ? runtime.memory : null;
  const found = statIfExists(file);
  if (found?.isDirectory()) return "it is a directory";
  if (found && !found.isFile()) return "it is not an ordinary file";
  const real =
    realPathIfExists(file) ?? join(realPathIfExists(dirname(file)) ?? dirname(file), basename(file));
  if (isOfMemory(file, memory) || isOfMemory(real, memory)) return "it belongs to the memory";
  const directories = [paths.dataDir, paths.configDir];
  if (directories.some((directory) => isInside(file, directory) || isInside(real, directory)))
    return "it belongs to mementor";
  return found && startsAsDatabase(file) ? "it is a database" : null;
}

/** Whether a path belongs to a memory: to this one, or by its directory's name to any. */
function isOfMemory(path: string, memory: Runtime["memory"] | null): boolean {
  return path.toLowerCase().split(sep).includes(".mementor") || (memory !== null && isInMemory(path, memory));
}

function isInMemory(path: string, { databaseFile, directory }: Runtime["memory"]): boolean {
  const database = realPathIfExists(databaseFile) ?? databaseFile;
  const ofDatabase = ["", "-wal", "-shm", "-journal"].map((suffix) => database + suffix);
  return ofDatabase.includes(path) || (directory !== null && isInside(path, directory));
}

function isInside(path: string, directory: string): boolean {
  return path.startsWith((realPathIfExists(directory) ?? directory) + sep);
}

function startsAsDatabase(path: string): boolean {
  try {
    const descriptor = openSync(path, "r");
    try {
      const head = Buffer.alloc(SQLITE_HEADER.length);
      return readSync(descriptor, head) === head.length && head.toString("latin1") === SQLITE_HEADER;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // A file that cannot be read cannot be checked. Writing it will report the reason.
    return false;
  }
}
