import { Database } from "bun:sqlite";
import { chmodSync, copyFileSync, rmSync } from "node:fs";
import { BUSY_TIMEOUT_MS, NOTE } from "../../../constants.ts";
import type { MemoryContents } from "../../stored.ts";
import { isDamage, mapSqliteError } from "../connection/errors.ts";
import { databaseKind, refusalError } from "../connection/version.ts";
import { openReader } from "./reader.ts";

/**
 * Copies a database with its write-ahead log to a new file of mode 0600, and runs `work` before another process can write to the
 * original again. Copies a damaged database as it is. Throws `db_locked` when another process holds the write lock longer than
 * `timeoutMs`.
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

/** The contents of a database, for a person who decides whether to keep it. */
export interface DatabaseSummary extends MemoryContents {
  madeBy: "mementor" | "the Rust tool";
}

/** Counts the contents of a database without changing it. Throws if this program cannot use the database. */
export function describeDatabase(file: string): DatabaseSummary {
  let db: Database | undefined;
  try {
    db = openReader(file, BUSY_TIMEOUT_MS.command);
    const found = databaseKind(db);
    const error = refusalError(found, file);
    if (error !== null) throw error;
    const isRust = found.kind === "rust";
    const notes = isRust ? 0 : notesIn(db);
    const turns = isRust ? "(SELECT DISTINCT session_id, line_index FROM memories)" : "turns";
    return {
      madeBy: isRust ? "the Rust tool" : "mementor",
      turns: count(db, turns) - notes,
      sessions: count(db, "sessions") - notes,
      notes,
    };
  } catch (error) {
    throw mapSqliteError(error, file);
  } finally {
    db?.close();
  }
}

/** Counts the notes, each of which is a session of one turn. The first versions had none, and no column to recognise them. */
function notesIn(db: Database): number {
  const isTold = count(db, "pragma_table_info('sessions') WHERE name = 'client'") > 0;
  return isTold ? count(db, `sessions WHERE client = '${NOTE.client}'`) : 0;
}

function count(db: Database, from: string): number {
  return db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${from}`).get()?.n ?? 0;
}

/** Counts the hashes of what was forgotten in a database, without changing it. */
export function countTombstones(file: string): number {
  const db = openReader(file, BUSY_TIMEOUT_MS.command);
  try {
    return db.query<{ n: number }, []>("SELECT count(*) AS n FROM tombstones").get()?.n ?? 0;
  } finally {
    db.close();
  }
}
