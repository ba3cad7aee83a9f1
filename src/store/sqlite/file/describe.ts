import type { Database } from "bun:sqlite";
import { NOTE } from "../../../constants.ts";
import type { Held } from "../../stored.ts";
import { mapSqliteError } from "../connection/errors.ts";
import { databaseKind, refusal } from "../connection/version.ts";
import { openReader } from "./reader.ts";

/** What a database holds, for a person who has to decide whether to keep it. */
export interface DatabaseSummary extends Held {
  madeBy: "mementor" | "the Rust tool";
}

/** Counts what a database holds, without changing it. Throws if this program cannot use the database. */
export function describeDatabase(file: string): DatabaseSummary {
  let db: Database | undefined;
  try {
    db = openReader(file);
    const found = databaseKind(db);
    const error = refusal(found, file);
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

/** A note is a session of one turn. The first versions had none, and no column that tells. */
function notesIn(db: Database): number {
  const isTold = count(db, "pragma_table_info('sessions') WHERE name = 'client'") > 0;
  return isTold ? count(db, `sessions WHERE client = '${NOTE.client}'`) : 0;
}

function count(db: Database, from: string): number {
  return db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${from}`).get()?.n ?? 0;
}
