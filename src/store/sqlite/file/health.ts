import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { isDamage, mapSqliteError } from "../connection/errors.ts";

/** Maximum number of problems to list: the first already shows that the file is damaged. */
const MAX_PROBLEMS = 20;

/**
 * Lists the problems that SQLite's integrity check finds in a database file; null when the file does not exist.
 *
 * @throws the error of SQLite, as a `MementorError`, when the file cannot be read.
 */
export function databaseProblems(file: string): string[] | null {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return null;
  let db: Database | undefined;
  try {
    db = new Database(file, { readonly: true });
    const rows = db
      .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${MAX_PROBLEMS})`)
      .all()
      .map((row) => row.integrity_check);
    return rows.filter((row) => row !== "ok");
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
  hasFts5: boolean;
  /** Version of sqlite-vec; null where no extension can be loaded. */
  vectorExtension: string | null;
}

/** Returns the versions of SQLite and sqlite-vec; `vecLibrary` is the path of sqlite-vec. */
export function sqliteFacts(vecLibrary: string | null): SqliteFacts {
  using db = new Database(":memory:");
  const version = db.query<{ v: string }, []>("SELECT sqlite_version() AS v").get()?.v ?? "unknown";
  return { version, hasFts5: hasFts5(db), vectorExtension: loadVec(db, vecLibrary) };
}

function hasFts5(db: Database): boolean {
  try {
    db.run("CREATE VIRTUAL TABLE probe USING fts5(text)");
    return true;
  } catch {
    return false;
  }
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
