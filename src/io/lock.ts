import { Database } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import { MementorError } from "../errors.ts";
import { ioError, systemCode } from "./errors.ts";

/**
 * A lock between processes. The operating system holds it, through SQLite, and frees it when the process ends,
 * however it ends: no lock is ever stale.
 */
export interface Lock {
  release(): void;
}

/**
 * Takes the lock of this file if it is free, else returns null at once. The file is empty and stays: removing it
 * would let two processes hold the lock, each on a file of its own. Where the file cannot be made, since the directory
 * is read-only, the work goes on without a lock: what it writes there fails by itself.
 */
export function tryLock(file: string): Lock | null {
  return lock(file, 0);
}

/** Takes the lock of this file, waiting at most `timeoutMs` for it; null when that was not enough. Blocks the thread. */
export function waitLock(file: string, timeoutMs: number): Lock | null {
  return lock(file, timeoutMs);
}

/** Runs short synchronous work while holding the lock of this file; throws `io` when it is not free within `timeoutMs`. */
export function withLock<T>(file: string, timeoutMs: number, work: () => T): T {
  const held = waitLock(file, timeoutMs);
  if (held === null)
    throw new MementorError("io", `cannot lock ${file}: another process holds it`, {
      hint: "Wait for the other mementor process to end, then try again.",
    });
  try {
    return work();
  } finally {
    held.release();
  }
}

// A database that nobody refers to is closed by the garbage collector, and its lock is gone.
const held = new Set<Database>();

const NO_LOCK: Lock = { release() {} };

/** What a directory or a file that may not be written to answers, as the system and as SQLite say it. */
const READ_ONLY = /^(?:EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM)/;

function lock(file: string, timeoutMs: number): Lock | null {
  let db: Database | undefined;
  try {
    createPrivate(file);
    db = new Database(file, { readwrite: true });
    db.run(`PRAGMA busy_timeout = ${Math.max(0, Math.trunc(timeoutMs))}`);
    db.run("BEGIN EXCLUSIVE");
  } catch (error) {
    db?.close();
    const code = systemCode(error) ?? "";
    if (code.startsWith("SQLITE_BUSY")) return null;
    if (READ_ONLY.test(code)) return NO_LOCK;
    throw ioError(error, `lock ${file}`);
  }
  const holder = db;
  held.add(holder);
  return {
    release() {
      held.delete(holder);
      holder.close();
    },
  };
}

// An existing file is not opened here: closing it again would drop this process's own lock on it (POSIX).
function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
}
