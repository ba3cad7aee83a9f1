import { Database } from "bun:sqlite";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { MementorError } from "../../../../errors.ts";
import { SYSTEM } from "../../../../io/system.ts";
import { Connection } from "../../connection/connection.ts";
import { copyRustRows } from "./copy.ts";

const RUST_TABLES = ["sessions", "memories", "file_mentions", "pr_links"];
const ASIDE = "rust_";

/**
 * Converts a database of the Rust tool in one transaction, after copying it to `<file>.rust-v<n>.bak`.
 * No turn is lost. Transcripts that still exist are read again later and update the same turns.
 */
export function migrateRustDatabase(
  db: Database,
  file: string,
  steps: { now: () => string; stillThere: () => boolean; version: number; createSchema: () => void },
): void {
  db.run("PRAGMA foreign_keys = OFF");
  db.transaction(() => {
    if (!steps.stillThere()) return;
    copyAside(file, steps.version);
    const tables = RUST_TABLES.filter((table) => hasTable(db, table));
    for (const table of tables) db.run(`ALTER TABLE ${table} RENAME TO ${ASIDE}${table}`);
    steps.createSchema();
    copyRustRows(new Connection(db, file, { now: steps.now, tombstoneKey: noKey }), {
      prefix: ASIDE,
      tables,
    });
    for (const table of tables) db.run(`DROP TABLE ${ASIDE}${table}`);
  }).immediate();
  db.run("PRAGMA foreign_keys = ON");
  db.run("PRAGMA journal_mode = WAL");
  chmodSync(file, 0o600);
}

/** The Rust tool could not forget, so there are no tombstones to keep. */
function noKey(): never {
  throw new MementorError("internal", "a tombstone in a database that has none");
}

// Copied through SQLite, since committed rows may still be in the log. The caller's write lock keeps them unchanged.
function copyAside(file: string, version: number): void {
  const backup = freeName(`${file}.rust-v${version}.bak`);
  const draft = `${backup}.${process.pid}.new`;
  const reader = new Database(file, { readonly: true });
  try {
    reader.query("VACUUM INTO ?").run(draft);
    chmodSync(draft, 0o600);
    SYSTEM.rename(draft, backup);
  } finally {
    reader.close();
    rmSync(draft, { force: true });
  }
}

function freeName(name: string): string {
  let free = name;
  for (let n = 2; existsSync(free); n++) free = `${name}.${n}`;
  return free;
}

function hasTable(db: Database, name: string): boolean {
  return db.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== null;
}
