import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { BUSY_TIMEOUT_MS } from "../../../constants.ts";
import { isDamage, mapSqliteError } from "../connection/errors.ts";
import { rebuildWordIndex, wordIndexProblems } from "../search/keywords.ts";
import { openReader } from "./reader.ts";

/** Maximum number of problems to list. The first already shows that the file is damaged. */
const MAX_PROBLEMS = 20;
/** Matches problems of a keyword index, which can be rebuilt without touching stored data. */
const OF_WORDS = /fts5/i;

/**
 * Lists the problems that SQLite's integrity check finds in the stored data of a database file; null when the file does not
 * exist.
 *
 * @throws the error of SQLite, as a `MementorError`, when the file cannot be read.
 */
export function databaseProblems(file: string): string[] | null {
  return looked(file, (db) =>
    db
      .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${MAX_PROBLEMS})`)
      .all()
      .map((row) => row.integrity_check)
      .filter((row) => row !== "ok" && !OF_WORDS.test(row)),
  );
}

/** Lists the problems of the keyword index of an otherwise intact database; null when the file does not exist. */
export function wordProblems(file: string): string[] | null {
  return looked(file, wordIndexProblems);
}

/** Rebuilds a database's keyword index from the stored texts. */
export function rebuildWords(file: string): void {
  const db = new Database(file, { readwrite: true });
  try {
    db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS.command}`);
    rebuildWordIndex(db);
  } catch (error) {
    throw mapSqliteError(error, file);
  } finally {
    db.close();
  }
}

function looked(file: string, look: (db: Database) => string[]): string[] | null {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return null;
  let db: Database | undefined;
  try {
    db = openReader(file, BUSY_TIMEOUT_MS.command);
    return look(db);
  } catch (error) {
    if (isDamage(error)) return [error instanceof Error ? error.message : String(error)];
    throw mapSqliteError(error, file);
  } finally {
    db?.close();
  }
}

/** The SQLite of this machine. */
export interface SqliteFacts {
  version: string;
  /** Version of sqlite-vec; null when extensions cannot be loaded. */
  vectorExtension: string | null;
}

/** Returns the versions of SQLite and sqlite-vec; `vecLibrary` is the path of sqlite-vec. */
export function sqliteFacts(vecLibrary: string | null): SqliteFacts {
  using db = new Database(":memory:");
  const version = db.query<{ v: string }, []>("SELECT sqlite_version() AS v").get()?.v ?? "unknown";
  return { version, vectorExtension: loadVec(db, vecLibrary) };
}

function loadVec(db: Database, library: string | null): string | null {
  if (library === null) return null;
  try {
    db.loadExtension(library, "sqlite3_vec_init");
    return db.query<{ v: string }, []>("SELECT vec_version() AS v").get()?.v ?? null;
  } catch {
    return null;
  }
}
