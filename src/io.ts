/** The edges to the file system, with node's errors made into ours. */

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { type ErrorCode, MementorError } from "./errors.ts";

const CODES: Record<string, { code: ErrorCode; reason: string; hint?: string }> = {
  ENOSPC: { code: "disk_full", reason: "the disk is full", hint: "Free some space and try again." },
  EDQUOT: { code: "disk_full", reason: "the disk quota is used up", hint: "Free some space and try again." },
  EACCES: { code: "not_writable", reason: "permission denied", hint: "Check who owns it and its mode." },
  EPERM: { code: "not_writable", reason: "operation not permitted", hint: "Check who owns it and its mode." },
  EROFS: { code: "not_writable", reason: "the file system is read-only" },
  ENOENT: { code: "not_found", reason: "no such file or directory" },
  ENOTDIR: { code: "not_found", reason: "a part of the path is not a directory" },
  ELOOP: { code: "io", reason: "too many symbolic links" },
  EISDIR: { code: "io", reason: "it is a directory" },
};

/** Returns node's code of a failed system call (`ENOENT`, ...), or null for any other error. */
export function systemCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

/** Wraps what a system call threw; `doing` reads on after "cannot", e.g. `write /a/b`. */
export function ioError(error: unknown, doing: string): MementorError {
  if (error instanceof MementorError) return error;
  const known = CODES[systemCode(error) ?? ""];
  const reason = known?.reason ?? (error instanceof Error ? error.message : String(error));
  return new MementorError(known?.code ?? "io", `cannot ${doing}: ${reason}`, {
    cause: error,
    ...(known?.hint === undefined ? {} : { hint: known.hint }),
  });
}

/** True when the path, or a part of it, is not there. */
function isMissing(error: unknown): boolean {
  const code = systemCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

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

/**
 * Replaces a file's content so that a crash leaves either the old or the new one. A symbolic link stays, and its
 * target is written; an existing file keeps its mode and, where possible, its owner. `mode` is for new files.
 */
export function writeAtomic(
  path: string,
  content: string | Uint8Array,
  options: { mode?: number } = {},
): void {
  try {
    const target = followLinks(path);
    const existing = statIfExists(target);
    if (existing) accessSync(target, constants.W_OK);
    const temporary = `${target}.${crypto.randomUUID().slice(0, 8)}.tmp`;
    try {
      writeDurably(temporary, content, existing, options.mode ?? 0o644);
      renameSync(temporary, target);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    syncDirectory(dirname(target));
  } catch (error) {
    throw ioError(error, `write ${path}`);
  }
}

/** The file at the end of a chain of symbolic links, which need not exist. */
function followLinks(path: string): string {
  let target = resolve(path);
  for (let hops = 0; hops < 40; hops++) {
    if (!lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink()) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  throw new MementorError("io", `cannot write ${path}: too many symbolic links`);
}

function writeDurably(path: string, content: string | Uint8Array, like: Stats | null, mode: number): void {
  const descriptor = openSync(path, "wx", like ? like.mode & 0o777 : mode);
  try {
    if (like) copyOwnerAndMode(descriptor, like);
    const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function copyOwnerAndMode(descriptor: number, like: Stats): void {
  try {
    fchownSync(descriptor, like.uid, like.gid);
  } catch {
    // Only root may give files away; then the file becomes ours, as with any editor.
  }
  // Not subject to the umask, unlike the mode given to open.
  fchmodSync(descriptor, like.mode & 0o777);
}

function syncDirectory(path: string): void {
  try {
    const descriptor = openSync(path, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Some systems cannot open or sync a directory; the rename is atomic there all the same.
  }
}

/**
 * Makes sure that a directory exists, is ours and is closed to others (0700). One of ours that others may read is
 * closed; one that others own or may write to is refused with `not_writable`, since anything could be planted there.
 */
export function ensurePrivateDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const uid = process.geteuid?.();
    if (uid === undefined) return;
    const found = statSync(path);
    if (found.uid !== uid || lstatSync(path).uid !== uid) throw unsafe(path, "belongs to another user");
    if (found.mode & 0o022) throw unsafe(path, "can be written to by others");
    if (found.mode & 0o077) chmodSync(path, 0o700);
  } catch (error) {
    throw ioError(error, `use ${path}`);
  }
}

function unsafe(path: string, why: string): MementorError {
  return new MementorError("not_writable", `refusing to use ${path}: it ${why}`, {
    hint: `Make it yours and private (chmod 700 ${path}), or remove it.`,
  });
}

/**
 * Takes a lock file that only one process can hold; returns what gives it back, or null while another has it. A lock
 * older than `staleMs` was left behind by a process that died, and is taken over.
 */
export function tryLock(path: string, staleMs: number): (() => void) | null {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      closeSync(openSync(path, "wx", 0o600));
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw ioError(error, `lock ${path}`);
      const held = statIfExists(path);
      if (held && Date.now() - held.mtimeMs < staleMs) return null;
      rmSync(path, { force: true });
    }
  }
  return null;
}

/** Runs `work` while holding a lock file, waiting for it up to twice `staleMs`; synchronous, for work of milliseconds. */
export function withLock<T>(path: string, staleMs: number, work: () => T): T {
  const deadline = performance.now() + 2 * staleMs;
  for (;;) {
    const release = tryLock(path, staleMs);
    if (release) {
      try {
        return work();
      } finally {
        release();
      }
    }
    if (performance.now() > deadline)
      throw new MementorError("io", `cannot lock ${path}: another process holds it`);
    Bun.sleepSync(5);
  }
}
