import { closeSync, openSync, readdirSync, readSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ioError } from "../io/errors.ts";
import { statIfExists } from "../io/read.ts";
import type { MemoryFiles } from "./memory.ts";

/**
 * Another file with content of the memory: a backup from before a migration, or a damaged database that was set
 * aside.
 */
export interface OldCopy {
  path: string;
  /** Size in bytes. */
  size: number;
}

/** How every SQLite database begins. */
const DATABASE_HEAD = "SQLite format 3\0";

/** Finds the copies of a memory's database beside it, and their log files. */
export function oldCopies({ directory, databaseFile }: MemoryFiles): OldCopy[] {
  const live = ["", "-wal", "-shm", "-journal"].map((suffix) => databaseFile + suffix);
  return (
    filesIn(directory ?? dirname(databaseFile), directory !== null)
      .filter((path) => !live.includes(path))
      // A database outside a memory's directory may have unrelated databases beside it.
      .filter(
        (path) => isNamedAfter(path, databaseFile) || (directory !== null && head(path) === DATABASE_HEAD),
      )
      .map((path) => ({ path, size: statIfExists(path)?.size ?? 0 }))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
  );
}

/** @throws `io` when one cannot be deleted. */
export function deleteCopies(copies: readonly OldCopy[]): void {
  for (const { path } of copies) {
    try {
      rmSync(path, { force: true });
    } catch (error) {
      throw ioError(error, `delete ${path}`);
    }
  }
}

/** Returns the default file of `report --open`, in the memory's directory. */
export function reportFile(directory: string): string {
  return join(directory, "report.html");
}

/** Deletes the page of `report --open`, which quotes an earlier state of the memory. */
export function deleteReport(directory: string): void {
  rmSync(reportFile(directory), { force: true });
}

/** Tells whether a memory has a log with something in it. */
export function hasLog(directory: string): boolean {
  return filesIn(join(directory, "log"), false).length > 0;
}

/** Empties a memory's log, which quotes prompts and passages at level `debug`. Returns whether there was one. */
export function deleteLog(directory: string): boolean {
  const files = filesIn(join(directory, "log"), false);
  for (const file of files) rmSync(file, { force: true });
  return files.length > 0;
}

function isNamedAfter(path: string, databaseFile: string): boolean {
  return basename(path).startsWith(`${basename(databaseFile)}.`);
}

function head(path: string): string {
  const buffer = Buffer.alloc(DATABASE_HEAD.length);
  try {
    const descriptor = openSync(path, "r");
    try {
      return buffer.toString("latin1", 0, readSync(descriptor, buffer));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return "";
  }
}

function filesIn(directory: string, recursive: boolean): string[] {
  try {
    const entries = readdirSync(directory, { recursive, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}
