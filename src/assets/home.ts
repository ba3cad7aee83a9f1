import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { MementorError } from "../errors.ts";
import type { AssetPlaces } from "./assets.ts";
import { privateDirectory } from "./directory.ts";

/** Name of the directory that holds one directory for each content hash. */
const ASSETS_ROOT = "mementor";

const CANNOT_WRITE = new Set([
  "EACCES",
  "EPERM",
  "EROFS",
  "ENOENT",
  "ENOTDIR",
  "EEXIST",
  "ENOSPC",
  "EDQUOT",
  "ELOOP",
]);

/**
 * Creates and checks the directory for one set of assets: in the cache, or in the fallback when the cache is not
 * writable. Throws `assets_unsafe` when another user could have put files there.
 */
export function assetsHome(places: AssetPlaces, contentHash: string): string {
  try {
    mkdirSync(places.cacheDir, { recursive: true, mode: 0o700 });
    return makeHome(join(places.cacheDir, ASSETS_ROOT), contentHash, places.uid);
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    places.warn(`cannot write to ${places.cacheDir} (${error.code}); using ${places.fallbackDir} instead`);
    return fallbackHome(places, contentHash);
  }
}

function fallbackHome(places: AssetPlaces, contentHash: string): string {
  try {
    return makeHome(places.fallbackDir, contentHash, places.uid);
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    throw new MementorError(
      "not_writable",
      `cannot write to ${places.cacheDir} or to ${places.fallbackDir}`,
      {
        cause: error,
        hint: "Set XDG_CACHE_HOME to a directory that you can write to.",
      },
    );
  }
}

function makeHome(root: string, contentHash: string, uid: number | null): string {
  privateDirectory(root, uid);
  const home = join(root, contentHash);
  privateDirectory(home, uid);
  return home;
}

function isUnwritable(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && CANNOT_WRITE.has(String(error.code));
}
