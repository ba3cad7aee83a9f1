import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { ioError, isMissing } from "./errors.ts";
import { UNTRUSTED } from "./untrusted.ts";

/**
 * Reads a whole file as UTF-8, including a BOM; null when it does not exist.
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

/**
 * Reads a file that anybody may have put there; null for anything but a regular file of at most `maxBytes`. A pipe or a device
 * would block, and a large file would exhaust memory. A file of reported size 0 is not opened either, because in `/proc` it could
 * block. Throws like `ioError` when it cannot be read.
 */
export function readUntrusted(
  path: string,
  follow: "links" | "no links" = "links",
  maxBytes: number = UNTRUSTED.fileBytes,
): string | null {
  const stats = statIfExists(path);
  if (!stats?.isFile() || stats.size > maxBytes) return null;
  if (stats.size === 0) return "";
  try {
    const bytes = readOpened(path, maxBytes, follow);
    return bytes && Buffer.from(bytes.buffer, 0, bytes.length).toString("utf8");
  } catch (error) {
    if (isMissing(error)) return null;
    throw ioError(error, `read ${path}`);
  }
}

/** Flags for opening a path that anybody may change: a pipe does not block, and a link is an error unless links are followed. */
export const OPEN_UNTRUSTED = {
  links: constants.O_RDONLY | (constants.O_NONBLOCK ?? 0),
  "no links": constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
} as const;

/**
 * Reads an opened file, whatever its path named a moment before; null when it is not a regular file or larger than `maxBytes`.
 * Throws like `openSync`, also for a link when links are not followed.
 */
export function readOpened(
  path: string,
  maxBytes: number,
  follow: keyof typeof OPEN_UNTRUSTED,
): Uint8Array | null {
  const file = openSync(path, OPEN_UNTRUSTED[follow]);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > maxBytes) return null;
    const bytes = new Uint8Array(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(file, bytes, length, bytes.length - length, null);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** Returns the stats of a path, following symbolic links; null when it cannot be reached. */
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
