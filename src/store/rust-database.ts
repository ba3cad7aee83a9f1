import type { Database } from "bun:sqlite";

export function isRustDatabase(db: Database, version: number): boolean {
  if (version < 1 || version > 4) return false;
  return db.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'memories'").get() !== null;
}

export function migrateRustDatabase(
  _db: Database,
  _file: string,
  _steps: { now: () => string; stillThere: () => boolean; createSchema: () => void },
): void {
  throw new Error("not yet");
}
