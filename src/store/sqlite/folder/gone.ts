import type { Connection } from "../connection/connection.ts";
import { NO_PLAN } from "../forget/plan.ts";
import { removeTurns } from "../forget/remove.ts";

/** Returns the keys of turns that are gone on every device. */
export function goneKeys(connection: Connection): string[] {
  return connection.column<string>("SELECT turn_key AS key FROM folder_gone ORDER BY turn_key");
}

/** Notes that turns are gone elsewhere, and forgets them here. Returns how many were here. */
export function takeGone(connection: Connection, keys: readonly string[]): number {
  const json = JSON.stringify(keys);
  const found = connection.column<number>(
    `WITH gone AS (SELECT value AS key FROM json_each(?1))
     SELECT f.turn_id AS id FROM gone CROSS JOIN folder_turns f ON f.turn_key = gone.key
     UNION SELECT i.turn_id FROM gone CROSS JOIN folder_items i ON i.turn_key = gone.key AND i.mark = '' AND i.turn_id IS NOT NULL
     UNION SELECT t.id FROM gone CROSS JOIN turns t ON coalesce(t.author, '') = '' AND t.turn_key = unhex(gone.key)`,
    json,
  );
  const removed = forgetHere(connection, found);
  connection.transaction(() => bury(connection, keys));
  return removed;
}

/** Forgets turns that another device forgot. Returns their number. */
export function forgetHere(connection: Connection, turnIds: readonly number[]): number {
  return turnIds.length === 0 ? 0 : removeTurns(connection, { ...NO_PLAN, turnIds }, "forget");
}

function bury(connection: Connection, keys: readonly string[]): void {
  const json = JSON.stringify(keys);
  connection.run("INSERT OR IGNORE INTO folder_gone (turn_key) SELECT value FROM json_each(?)", json);
  for (const table of ["folder_items", "folder_marks"])
    connection.run(`DELETE FROM ${table} WHERE turn_key IN (SELECT value FROM json_each(?))`, json);
}
