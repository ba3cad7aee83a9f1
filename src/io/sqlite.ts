type Sqlite = typeof import("bun:sqlite");

/** Loads SQLite at first use. Most hooks do without it, and it would take a tenth of their time. */
export function sqlite(): Sqlite {
  return require("bun:sqlite");
}
