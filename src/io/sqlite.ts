type Sqlite = typeof import("bun:sqlite");

/** Loads SQLite at first use. Most hooks do not need it, and loading it takes a tenth of their time. */
export function loadSqlite(): Sqlite {
  return require("bun:sqlite");
}
