import { readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { ioError, isMissing } from "./errors.ts";

/**
 * Reads a whole file as UTF-8, a BOM included; null when it does not exist.
 *
 * @throws `io` when it cannot be read.
 */
export function readIfExists(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return null;
    throw ioError(error, `read ${path}`);
  }
}

/** The largest file that is read where a repository or an archive may have put it. */
export const UNTRUSTED_BYTES = 1_000_000;

/**
 * Reads a file like `readIfExists`, where anybody may have put it. Returns null for anything but a regular file of at most
 * `UNTRUSTED_BYTES`: a pipe or a device would block, a large file would take the memory. A file that says it is empty is not
 * opened, because in `/proc` it could block as well.
 */
export function readUntrusted(path: string): string | null {
  const stats = statIfExists(path);
  if (!stats?.isFile() || stats.size > UNTRUSTED_BYTES) return null;
  return stats.size === 0 ? "" : readIfExists(path);
}

/** Returns the file's stats with symbolic links followed; null when it cannot be reached. */
export function statIfExists(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** Returns the real path behind all symbolic links; null when it does not exist or cannot be reached. */
export function realPathIfExists(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}
