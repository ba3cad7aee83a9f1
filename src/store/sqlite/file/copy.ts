import { Database } from "bun:sqlite";
import { chmodSync, copyFileSync, rmSync } from "node:fs";
import { isDamage, mapSqliteError } from "../connection/errors.ts";

/**
 * Copies a database and the contents of its write-ahead log to a new file of mode 0600, and runs `work` before another
 * process can write to the original again. A damaged database is copied as it is. Throws `db_locked` when another
 * process holds the write lock longer than `timeoutMs`.
 */
export function copyDatabase(from: string, to: string, timeoutMs: number, work: () => void): void {
  let writer: Database | undefined;
  try {
    writer = new Database(from, { readwrite: true });
    writer.run(`PRAGMA busy_timeout = ${Math.trunc(timeoutMs)}`);
    writer.run("BEGIN IMMEDIATE");
    vacuumInto(from, to);
    work();
  } catch (error) {
    if (!isDamage(error)) throw mapSqliteError(error, from);
    copyFiles(from, to);
    work();
  } finally {
    writer?.close();
  }
}

/** Copies the current state of a read-only database to a new file of mode 0600. */
export function vacuumInto(from: string, to: string): void {
  const reader = new Database(from, { readonly: true });
  try {
    reader.query("VACUUM INTO ?").run(to);
    chmodSync(to, 0o600);
  } finally {
    reader.close();
  }
  // The copy does not inherit the journal mode.
  const copy = new Database(to, { readwrite: true });
  copy.run("PRAGMA journal_mode = WAL");
  copy.close();
}

function copyFiles(from: string, to: string): void {
  rmSync(to, { force: true });
  for (const suffix of ["", "-wal"]) {
    try {
      copyFileSync(from + suffix, to + suffix);
      chmodSync(to + suffix, 0o600);
    } catch (error) {
      if (suffix === "") throw mapSqliteError(error, from);
    }
  }
}
