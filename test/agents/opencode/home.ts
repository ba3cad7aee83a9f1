import { Database } from "bun:sqlite";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FIXTURES = join(import.meta.dir, "../../../fixtures/agents/opencode");
const DATA = ".local/share/opencode";

/** Where opencode's database is in a home directory. */
export function databaseIn(home: string): string {
  return join(home, DATA, "opencode.db");
}

/** Puts opencode's database into a home directory, with nothing left in its log. */
export function installDatabase(home: string): void {
  mkdirSync(join(home, DATA), { recursive: true });
  change(databaseIn(home), (database) => database.run(readFileSync(join(FIXTURES, "database.sql"), "utf8")));
}

/** Puts the files of an older version into a home directory. */
export function installFiles(home: string): void {
  const files: Record<string, unknown> = JSON.parse(readFileSync(join(FIXTURES, "older.json"), "utf8"));
  for (const [name, content] of Object.entries(files)) {
    const path = join(home, DATA, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(content, null, 2));
  }
}

/** Changes a database as opencode would. */
export function change(file: string, work: (database: Database) => void): void {
  const database = new Database(file);
  try {
    work(database);
  } finally {
    database.close();
  }
}
