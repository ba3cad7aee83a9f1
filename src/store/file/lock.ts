import { Database } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import { isBusy, mapSqliteError } from "../connection/errors.ts";

/** A lock between processes; the operating system frees it when its process dies. */
export interface Lock {
  release(): void;
}

/** Takes the lock of this file if it is free, else returns null at once. The file is empty and stays. */
export function tryLock(file: string): Lock | null {
  return lock(file, 0);
}

/** Takes the lock of this file, waiting for it at most `timeoutMs`; null when that was not enough. */
export function waitLock(file: string, timeoutMs: number): Lock | null {
  return lock(file, timeoutMs);
}

// A database that nobody refers to is closed by the garbage collector, and its lock is gone.
const held = new Set<Database>();

function lock(file: string, busyTimeoutMs: number): Lock | null {
  let db: Database | undefined;
  try {
    createPrivate(file);
    db = new Database(file, { readwrite: true });
    db.run(`PRAGMA busy_timeout = ${Math.max(0, Math.trunc(busyTimeoutMs))}`);
    db.run("BEGIN EXCLUSIVE");
  } catch (error) {
    db?.close();
    if (isBusy(error)) return null;
    throw mapSqliteError(error, file);
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
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
