import type { Connection } from "../connection/connection.ts";
import { appendRemoval } from "./changes.ts";
import { ownTurns } from "./own-turn.ts";

interface Pulled {
  id: number;
  author: string | null;
  turnKey: Uint8Array;
}

/** Takes turns back. Returns how many of them were shared. Those of colleagues are removed where the server allows. */
export function unshare(connection: Connection, turnIds: readonly number[]): number {
  const shared = ownTurns(connection, turnIds);
  for (const { key, sessionId } of shared) takeBack(connection, key, sessionId);
  const pulled = pulledTurns(connection, turnIds);
  for (const { author, turnKey } of pulled) {
    if (author === null) connection.run("INSERT OR IGNORE INTO team_unshared (turn_key) VALUES (?)", turnKey);
    appendRemoval(connection, author, turnKey, null);
  }
  return shared.filter(({ isShared }) => isShared).length + pulled.length;
}

/** Notes in the transaction that forgets turns what the team must forget: one's own there, colleagues' here. */
export function forgetShared(connection: Connection, turnIds: readonly number[]): void {
  if (connection.get("SELECT 1 FROM team") === null) return;
  for (const { key, isShared } of ownTurns(connection, turnIds))
    if (isShared) connection.run("INSERT OR IGNORE INTO team_unshared (turn_key) VALUES (?)", key);
  for (const { author, turnKey } of pulledTurns(connection, turnIds)) {
    connection.run(
      "INSERT OR IGNORE INTO team_hidden (author, turn_key) VALUES (?, ?)",
      author ?? "",
      turnKey,
    );
    if (author !== null) continue;
    connection.run("INSERT OR IGNORE INTO team_unshared (turn_key) VALUES (?)", turnKey);
    appendRemoval(connection, null, turnKey, null);
  }
}

// Other turns of the session may quote this prompt, and the first may carry a title that tells of it.
function takeBack(connection: Connection, key: Uint8Array, sessionId: string): void {
  connection.run("INSERT OR IGNORE INTO team_unshared (turn_key) VALUES (?)", key);
  connection.run(
    `INSERT OR IGNORE INTO team_dirty (turn_id) SELECT id FROM turns WHERE session_id = ? AND author IS NULL
       AND device_id IS NULL`,
    sessionId,
  );
}

function pulledTurns(connection: Connection, turnIds: readonly number[]): Pulled[] {
  return connection.all<Pulled>(
    `SELECT t.id, t.author, t.turn_key AS turnKey FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value
     WHERE t.device_id IS NOT NULL`,
    JSON.stringify(turnIds),
  );
}
