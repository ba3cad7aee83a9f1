import type { Database } from "bun:sqlite";
import { MementorError } from "../errors.ts";
import { ioError, systemCode } from "./errors.ts";
import { statIfExists } from "./read.ts";
import { loadSqlite } from "./sqlite.ts";
import { SYSTEM, type System } from "./system.ts";

/**
 * A lock between processes. The operating system holds it, through SQLite, and releases it however the process ends, so
 * a lock is never stale.
 */
export interface Lock extends Disposable {
  release(): void;
}

/**
 * Takes the lock of a file if it is free; otherwise returns null at once. The file is empty and never removed: otherwise two
 * processes could each hold a lock on a different file of the same name. In a read-only directory, where the file cannot be
 * created, returns a lock without effect, because writing there fails anyway.
 */
export function tryLock(file: string, system: System = SYSTEM): Lock | null {
  return lock(file, 0, system);
}

/** Tells whether a process holds the lock of a file. Creates nothing. */
export function isLocked(file: string): boolean {
  if (!statIfExists(file)) return false;
  const free = tryLock(file);
  free?.release();
  return free === null;
}

/**
 * Takes the lock of a file. Waits at most `timeoutMs`, then returns null. Blocks the thread. Throws like `ioError` when the file
 * cannot be created.
 */
export function waitLock(file: string, timeoutMs: number): Lock | null {
  return lock(file, timeoutMs, SYSTEM);
}

/** Runs short synchronous work while holding the lock of a file. Throws `io` when the lock is still held after `timeoutMs`. */
export function withLock<T>(file: string, timeoutMs: number, work: () => T): T {
  using held = waitLock(file, timeoutMs);
  if (held === null)
    throw new MementorError("io", `cannot lock ${file}: another process holds it`, {
      hint: "Wait for the other mementor process to end, then try again.",
    });
  return work();
}

// Keeps the databases referenced: the garbage collector would close them, which releases their locks.
const held = new Set<Database>();

const NO_LOCK: Lock = { release() {}, [Symbol.dispose]() {} };

/** Errors of the system and of SQLite for a file or directory that is not writable. */
const READ_ONLY = /^(?:EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM)/;

function lock(file: string, timeoutMs: number, system: System): Lock | null {
  let db: Database | undefined;
  try {
    ensureFile(file, system);
    db = new (loadSqlite().Database)(file, { readwrite: true });
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
  const release = () => {
    held.delete(holder);
    holder.close();
  };
  return { release, [Symbol.dispose]: release };
}

function ensureFile(file: string, system: System): void {
  try {
    system.create(file);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
}
