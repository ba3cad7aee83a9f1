import { readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { ioError, isMissing } from "./errors.ts";

/** Reads a whole file as UTF-8, a BOM included; null when it does not exist. */
export function readIfExists(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return null;
    throw ioError(error, `read ${path}`);
  }
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
