import type { Connection } from "../connection/connection.ts";
import { ownTurns } from "./own-turns.ts";
import { isWithTeam, type OwnTurn } from "./rules.ts";
import { appendRemoval } from "./team-changes.ts";

/** A turn that was pulled; `author` is null for one's own of another device. */
interface Pulled {
  id: number;
  author: string | null;
  turnKey: Uint8Array;
}

/** Notes in the transaction that forgets turns what the team must forget: one's own there, colleagues' here. */
export function forgetShared(connection: Connection, turnIds: readonly number[]): void {
  if (connection.get("SELECT 1 FROM team") === null) return;
  for (const turn of ownTurns(connection, turnIds, null).filter(isWithTeam)) noteUnshared(connection, turn);
  for (const turn of pulledTurns(connection, turnIds)) {
    hide(connection, turn);
    if (turn.author === null) appendRemoval(connection, null, turn.turnKey, null);
  }
}

/** Keeps a turn of one's own from being shared again, and removes it from the team if another device shared it. */
export function noteUnshared(
  connection: Connection,
  { key, isShared, wasShared }: Pick<OwnTurn, "key" | "isShared" | "wasShared">,
): void {
  connection.run("INSERT OR IGNORE INTO team_unshared (turn_key) VALUES (?)", key);
  if (wasShared && !isShared) appendRemoval(connection, null, key, null);
}

/** Keeps a turn from being pulled again: one that is not wanted here, or one that is gone everywhere. */
export function hide(connection: Connection, { author, turnKey }: Omit<Pulled, "id">, isGone = false): void {
  connection.run(
    "INSERT OR IGNORE INTO team_hidden (author, turn_key, is_gone) VALUES (?, ?, ?)",
    author ?? "",
    turnKey,
    isGone,
  );
  if (author === null) connection.run("INSERT OR IGNORE INTO team_unshared (turn_key) VALUES (?)", turnKey);
}

export function pulledTurns(connection: Connection, turnIds: readonly number[]): Pulled[] {
  return connection.all<Pulled>(
    `SELECT t.id, t.author, t.turn_key AS turnKey FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value
     WHERE t.device_id IS NOT NULL`,
    JSON.stringify(turnIds),
  );
}
