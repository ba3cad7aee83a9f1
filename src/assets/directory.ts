import { lstat, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { MementorError } from "../errors.ts";

const PRIVATE = 0o700;
const STICKY = 0o1000;
const GROUP_WRITE = 0o020;
const OTHERS_WRITE = 0o002;

/**
 * Makes sure that a directory is there, is no link, belongs to `uid` and lets nobody else in (0700).
 *
 * Its parent must belong to `uid` or to root, and must not let strangers rename what lies in it. A null `uid`
 * (Windows) leaves owner and mode alone. Rejects with `assets_unsafe`, or with what `mkdir` said.
 */
export async function privateDirectory(path: string, uid: number | null): Promise<void> {
  await mkdir(path, { mode: PRIVATE }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await refuseUnsafe(path, uid);
}

async function refuseUnsafe(path: string, uid: number | null): Promise<void> {
  const own = await lstat(path);
  if (own.isSymbolicLink()) throw unsafe(path, "is a symbolic link");
  if (!own.isDirectory()) throw unsafe(path, "is no directory");
  if (uid === null) return;
  if (own.uid !== uid) throw unsafe(path, `belongs to user ${own.uid}`);
  if ((own.mode & 0o777) !== PRIVATE)
    throw unsafe(path, `has mode ${(own.mode & 0o777).toString(8)}, not 700`);
  const parent = await stat(dirname(path));
  if (parent.uid !== uid && parent.uid !== 0) throw unsafe(dirname(path), `belongs to user ${parent.uid}`);
  const isSticky = (parent.mode & STICKY) !== 0;
  if ((parent.mode & OTHERS_WRITE) !== 0 && !isSticky)
    throw unsafe(dirname(path), "can be written by everybody");
  if ((parent.mode & GROUP_WRITE) !== 0 && !isSticky && !isPrivateGroup(parent.gid, uid))
    throw unsafe(dirname(path), `can be written by group ${parent.gid}`);
}

/** Systems that give each user a group of their own give it the user's number, and make directories open to it. */
function isPrivateGroup(gid: number, uid: number): boolean {
  return gid === uid;
}

function unsafe(path: string, reason: string): MementorError {
  return new MementorError("assets_unsafe", `${path} ${reason}; native libraries are not loaded from it`, {
    hint: `Remove ${path}, or set XDG_CACHE_HOME to a directory of your own.`,
  });
}

/** Returns whether a file is whole as far as a glance tells: ordinary, of this size, ours, and written by nobody else. */
export async function looksWhole(path: string, size: number, uid: number | null): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (found === null || !found.isFile() || found.size !== size) return false;
  return uid === null || (found.uid === uid && (found.mode & 0o022) === 0);
}
