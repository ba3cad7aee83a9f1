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

/**
 * Reads a file like `readIfExists`, where anybody may have put it. Returns null for anything but a regular file of at most
 * `maxBytes`: a pipe or a device would block, a large file would take the memory. A file that says it is empty is not
 * opened, because in `/proc` it could block as well. Throws like `ioError` for one that cannot be read.
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

/**
 * How a file is opened where anybody may change what stands at its path: a pipe does not block, where links are not followed one is
 * an error.
 */
export const OPEN_UNTRUSTED = {
  links: constants.O_RDONLY | (constants.O_NONBLOCK ?? 0),
  "no links": constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
} as const;

/**
 * Reads what is opened, whatever stood at the path a moment before: null where that is no regular file, or larger than
 * `maxBytes`. Throws as `openSync` does, for a link, too, where links are not followed.
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
