import type { Connection } from "./connection.ts";

/** Returns a value of the table `meta`; null when it is not there. */
export function readMeta(connection: Connection, key: string): string | null {
  return connection.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", key)?.value ?? null;
}

export function writeMeta(connection: Connection, key: string, value: string): void {
  connection.run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", key, value);
}

export function removeMeta(connection: Connection, key: string): void {
  connection.run("DELETE FROM meta WHERE key = ?", key);
}
