import type { Database } from "bun:sqlite";
import { KEYWORDS_VERSION } from "../../../constants.ts";
import { MementorError } from "../../../errors.ts";
import { RULES_VERSION } from "../../../redact/version.ts";
import { APPLICATION_ID } from "../file/head.ts";

/** First version number, far from versions 1 to 4 of the Rust tool, which keeps its database at the same place. */
export const VERSION_BASE = 100;

/** Number of migrations, repeated here so that opening a current database does not load them. */
export const MIGRATION_COUNT = 23;

export const LATEST_VERSION = VERSION_BASE + MIGRATION_COUNT;

export type DatabaseKind =
  | { kind: "current" }
  | { kind: "older"; version: number }
  | { kind: "newer"; version: number }
  | { kind: "rust"; version: number }
  | { kind: "foreign" };

/** The schema versions of the Rust tool, the predecessor of this program. */
const RUST_VERSIONS = { first: 1, last: 4 };

/** Returns the program and the version of a database. Reads two numbers and, for another program's database, a table name. */
export function databaseKind(db: Database): DatabaseKind {
  const version = readPragma(db, "user_version");
  if (readPragma(db, "application_id") === APPLICATION_ID) {
    if (version === LATEST_VERSION) return { kind: "current" };
    return { kind: version > LATEST_VERSION ? "newer" : "older", version };
  }
  return isRustDatabase(db, version) ? { kind: "rust", version } : { kind: "foreign" };
}

/** Tells whether a database belongs to the Rust tool, by its version numbers and its `memories` table. */
function isRustDatabase(db: Database, version: number): boolean {
  if (version < RUST_VERSIONS.first || version > RUST_VERSIONS.last) return false;
  return db.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'memories'").get() !== null;
}

/** Returns the error for a database that this program must not touch; null for a usable one. */
export function refusalError(found: DatabaseKind, file: string): MementorError | null {
  if (found.kind === "newer") {
    return new MementorError("db_newer", `the database was written by a newer mementor: ${file}`, {
      hint: `It has version ${found.version}, this program supports ${LATEST_VERSION}: update mementor. The file is unchanged.`,
    });
  }
  if (found.kind === "foreign") {
    return new MementorError("db_foreign", `not a mementor database: ${file}`, {
      hint: "Move the file away or name another one with --db. The file is unchanged.",
    });
  }
  return null;
}

export function readPragma(db: Database, name: "user_version" | "application_id" | "foreign_keys"): number {
  const row = db.query<Record<string, number>, []>(`PRAGMA ${name}`).get();
  return row?.[name] ?? 0;
}

/** Key and value in `meta` of a memory whose index is up to date with the current keyword version. */
export const INDEXED_META = ["keywords", String(KEYWORDS_VERSION)] as const;

/** Key and value in `meta` of a memory that was cleaned with the current secret rules. */
export const CLEAN = ["secret_rules", String(RULES_VERSION)] as const;
