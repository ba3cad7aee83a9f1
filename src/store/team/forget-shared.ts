import type { Connection } from "../connection/connection.ts";
import { appendRemoval } from "./changes.ts";
import { ownTurns } from "./own-turn.ts";

/** A turn that was pulled; `author` is null for one's own of another device. */
export interface Pulled {
  id: number;
  author: string | null;
  turnKey: Uint8Array;
}

/** Notes in the transaction that forgets turns what the team must forget: one's own there, colleagues' here. */
export function forgetShared(connection: Connection, turnIds: readonly number[]): void {
  if (connection.get("SELECT 1 FROM team") === null) return;
  for (const { key, isShared } of ownTurns(connection, turnIds, null))
    if (isShared) connection.run("INSERT OR IGNORE INTO team_unshared (turn_key) VALUES (?)", key);
  for (const turn of pulledTurns(connection, turnIds)) {
    hide(connection, turn);
    if (turn.author === null) appendRemoval(connection, null, turn.turnKey, null);
  }
}

/** Keeps a turn from being pulled again. */
export function hide(connection: Connection, { author, turnKey }: Omit<Pulled, "id">): void {
  connection.run("INSERT OR IGNORE INTO team_hidden (author, turn_key) VALUES (?, ?)", author ?? "", turnKey);
  if (author === null) connection.run("INSERT OR IGNORE INTO team_unshared (turn_key) VALUES (?)", turnKey);
}

export function pulledTurns(connection: Connection, turnIds: readonly number[]): Pulled[] {
  return connection.all<Pulled>(
    `SELECT t.id, t.author, t.turn_key AS turnKey FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value
     WHERE t.device_id IS NOT NULL`,
    JSON.stringify(turnIds),
  );
}
