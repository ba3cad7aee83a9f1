import { Database } from "bun:sqlite";
import { mapSqliteError } from "../connection/errors.ts";
import { databaseKind, refusal } from "../connection/version.ts";

/** What a database holds, for a person who has to decide whether to keep it. */
export interface DatabaseSummary {
  madeBy: "mementor" | "the Rust tool";
  turns: number;
  sessions: number;
}

/** Counts what a database holds, without changing it. Throws if this program cannot use the database. */
export function describeDatabase(file: string): DatabaseSummary {
  let db: Database | undefined;
  try {
    db = new Database(file, { readonly: true });
    const found = databaseKind(db);
    const error = refusal(found, file);
    if (error !== null) throw error;
    const isRust = found.kind === "rust";
    return {
      madeBy: isRust ? "the Rust tool" : "mementor",
      turns: count(db, isRust ? "(SELECT DISTINCT session_id, line_index FROM memories)" : "turns"),
      sessions: count(db, "sessions"),
    };
  } catch (error) {
    throw mapSqliteError(error, file);
  } finally {
    db?.close();
  }
}

function count(db: Database, from: string): number {
  return db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${from}`).get()?.n ?? 0;
}
