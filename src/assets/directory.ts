import { accessSync, constants, lstatSync, mkdirSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { MementorError } from "../errors.ts";
import { systemCode } from "../io/errors.ts";
import { readIfExists } from "../io/read.ts";
import { writeAtomic } from "../io/write.ts";
import type { AssetPlaces, AssetProblem } from "./catalog.ts";

const PRIVATE = 0o700;
const STICKY = 0o1000;
const GROUP_WRITE = 0o020;
const OTHERS_WRITE = 0o002;

/**
 * Ensures that a directory exists, is not a symbolic link, belongs to `uid` and is closed to everyone else (0700).
 *
 * Its parent must belong to `uid` or to root, and must not let other users rename what is in it. With a null `uid`
 * (Windows), owner and mode are not checked. Throws `assets_unsafe`, or the error of `mkdir`.
 */
function privateDirectory(path: string, uid: number | null): void {
  try {
    mkdirSync(path, { mode: PRIVATE });
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
  refuseUnsafe(path, uid);
}

function refuseUnsafe(path: string, uid: number | null): void {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) throw unsafe(path, "is a symbolic link");
  if (!stats.isDirectory()) throw unsafe(path, "is not a directory");
  if (uid === null) return;
  if (stats.uid !== uid) throw unsafe(path, `belongs to user ${stats.uid}`);
  if ((stats.mode & 0o777) !== PRIVATE)
    throw unsafe(path, `has mode ${(stats.mode & 0o777).toString(8)}, not 700`);
  const parent = statSync(dirname(path));
  if (parent.uid !== uid && parent.uid !== 0) throw unsafe(dirname(path), `belongs to user ${parent.uid}`);
  const isSticky = (parent.mode & STICKY) !== 0;
  if ((parent.mode & OTHERS_WRITE) !== 0 && !isSticky) throw unsafe(dirname(path), "is writable by everyone");
  if ((parent.mode & GROUP_WRITE) !== 0 && !isSticky && !isPrivateGroup(parent.gid, uid))
    throw unsafe(dirname(path), `is writable by group ${parent.gid}`);
}

/** Many systems give each user a private group with the same number, and make directories writable by that group. */
function isPrivateGroup(gid: number, uid: number): boolean {
  return gid === uid;
}

function unsafe(path: string, reason: string): MementorError {
  return new MementorError("assets_unsafe", `${path} ${reason}; native libraries are not loaded from it`, {
    hint: `Remove ${path}, or set XDG_CACHE_HOME to a directory of your own.`,
  });
}

/** Tells whether a file looks intact without reading it: a regular file of this size that only this user can write. */
function looksWhole(path: string, size: number, uid: number | null): boolean {
  const found = statsOf(path);
  if (found === null || !found.isFile() || found.size !== size) return false;
  return uid === null || (found.uid === uid && (found.mode & 0o022) === 0);
}

/** Returns the stats of a file, or of a link itself; null when it cannot be reached. */
function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** Name of the directory that contains one directory per content hash. */
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
 * Creates and checks the directory for one set of assets: in the cache, or in the fallback when the cache is not writable. Throws
 * `assets_unsafe` when another user could have put files there.
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

/**
 * Runs work that may write in the directory of a set of assets. Where that directory is read-only, as in a cache that was copied
 * to such a disk, only what it already contains is used, and the rest is made in the fallback.
 */
export async function whereWritable<Result>(
  home: string,
  places: AssetPlaces,
  work: (home: string, places: AssetPlaces) => Promise<Result>,
): Promise<Result> {
  if (isWritable(home)) return work(home, places);
  try {
    return await work(home, { ...places, mayUnpack: false });
  } catch (error) {
    if (!(error instanceof MementorError && error.code === "assets_packed")) throw error;
    return work(fallbackHome(places, basename(home)), places);
  }
}

/** Tells whether files can be made in a directory. */
export function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
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

/** Suffix of the note beside a file that records which state of the file was hashed. */
export const VERIFIED_SUFFIX = ".verified";

/**
 * Tells whether a file has the expected content. Each state of the file is hashed once: a note beside the file records the inode,
 * size and times of that state, so a later start only compares these.
 *
 * The check matters because loading a damaged library crashes the process, and no code can catch that. The note includes the
 * change time because a program cannot set it, unlike the modification time.
 */
export async function isVerified(path: string, expected: Expected, uid: number | null): Promise<boolean> {
  if (isAsWritten(path, expected, uid)) return true;
  if (!looksWhole(path, expected.size, uid) || (await sha256OfFile(path)) !== expected.sha256) return false;
  noteVerified(path, noteOf(path, expected));
  return true;
}

/**
 * Tells whether a file is in the state in which it was written or hashed here. A copy is not, even with its note: the system gives
 * it another inode and change time.
 */
export function isAsWritten(path: string, expected: Expected, uid: number | null): boolean {
  return looksWhole(path, expected.size, uid) && isNoted(path, noteOf(path, expected));
}

/** Records that a file has the expected content, just after it was written. */
export function markVerified(path: string, expected: Expected): void {
  noteVerified(path, noteOf(path, expected));
}

function isNoted(path: string, note: string): boolean {
  try {
    return readIfExists(path + VERIFIED_SUFFIX) === note;
  } catch {
    return false;
  }
}

function noteOf(path: string, { sha256 }: Expected): string {
  const { ino, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs} ${ctimeNs} ${sha256}`;
}

function noteVerified(path: string, note: string): void {
  try {
    writeAtomic(path + VERIFIED_SUFFIX, note, { mode: 0o600, replace: true, sync: false });
  } catch {
    // Without the note, the next start hashes the file again.
  }
}

/** The expected size and hash of a file on disk. */
interface Expected {
  size: number;
  sha256: string;
}

/** Compares a file on disk with the expected size and hash. A file that does not exist yet is not a problem. */
export async function fileProblem(
  path: string,
  expected: Expected,
  uid: number | null,
): Promise<AssetProblem[]> {
  const found = statsOf(path);
  if (found === null) return [];
  const file = basename(path);
  if (!looksWhole(path, found.size, uid)) return [{ file, problem: "unsafe" }];
  const same = found.size === expected.size && (await sha256OfFile(path)) === expected.sha256;
  return same ? [] : [{ file, problem: "changed" }];
}

/** Returns the SHA-256 of bytes as lower-case hex. */
export function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

/** Returns the SHA-256 of a file as lower-case hex, without loading the whole file into memory. */
export async function sha256OfFile(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const part of Bun.file(path).stream()) hasher.update(part);
  return hasher.digest("hex");
}
