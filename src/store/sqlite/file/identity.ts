import type { Database } from "bun:sqlite";
import { MementorError } from "../../../errors.ts";

/** The random name of the memory that a database belongs to. With `adopt`, a database of another memory gets this name. */
export interface ExpectedIdentity {
  id: string;
  adopt: boolean;
}

/** Returns the name stored in a database; null without one, as in a database of the Rust tool. */
export function readIdentity(db: Database): string | null {
  const hasMeta = db.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'").get();
  if (hasMeta === null) return null;
  const row = db.query<{ value: unknown }, []>("SELECT value FROM meta WHERE key = 'identity'").get();
  return typeof row?.value === "string" ? row.value : null;
}

export function writeIdentity(db: Database, id: string): void {
  db.query(
    "INSERT INTO meta (key, value) VALUES ('identity', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  ).run(id);
}

/** The error for a database of another memory at this place; null when the database may be used. */
export function strangerError(
  db: Database,
  file: string,
  expected: ExpectedIdentity | undefined,
): MementorError | null {
  if (!expected || expected.adopt || readIdentity(db) === expected.id) return null;
  return notMadeHere(file);
}

/** The error for a memory, or its database, that another user may have created. */
export function notMadeHere(path: string): MementorError {
  return new MementorError("db_foreign", `${path} was not made here, so it is not read`, {
    hint: 'Whoever made it could tell an agent anything. If it is yours, take it over with "mementor enable --adopt", or name the database with "--db".',
  });
}
