import { mkdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { ioError } from "../../io/errors.ts";
import { readIfExists } from "../../io/read.ts";
import { writeAtomic } from "../../io/write.ts";
import type { SettingsChange } from "../settings-file.ts";

/**
 * Writes a file that belongs to mementor alone.
 *
 * @throws `io` when its directory cannot be made.
 */
export function writeOwnFile(file: string, wanted: string): SettingsChange {
  const current = readIfExists(file);
  if (current === wanted) return "unchanged";
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch (error) {
    throw ioError(error, `make ${dirname(file)}`);
  }
  writeAtomic(file, wanted);
  return current === null ? "created" : "changed";
}

/** Deletes a file that belongs to mementor alone, and its directory if it is empty then. */
export function removeOwnFile(file: string): SettingsChange {
  if (readIfExists(file) === null) return "unchanged";
  rmSync(file, { force: true });
  try {
    rmdirSync(dirname(file));
  } catch {
    // The directory contains other files.
  }
  return "removed";
}
