import type { Connection } from "../connection/connection.ts";
import { NO_PLAN } from "../forget/plan.ts";
import { removeTurns } from "../forget/remove.ts";
import { appendRemoval } from "./changes.ts";
import { hide, noteUnshared, pulledTurns } from "./forget-shared.ts";
import { isWithTeam, ownTurns } from "./own-turn.ts";

/**
 * Removes turns from the team: one's own stay here, pulled ones are removed here too. Returns how many were shared. The
 * server lets only an admin remove turns of colleagues.
 */
export function unshare(connection: Connection, turnIds: readonly number[]): number {
  const own = ownTurns(connection, turnIds, null);
  for (const turn of own) {
    noteUnshared(connection, turn);
    lookAgain(connection, turn.sessionId);
  }
  const pulled = pulledTurns(connection, turnIds);
  for (const turn of pulled) {
    hide(connection, turn);
    appendRemoval(connection, turn.author, turn.turnKey, null);
  }
  withdraw(
    connection,
    pulled.map(({ id }) => id),
  );
  return own.filter(isWithTeam).length + pulled.length;
}

/** Removes pulled turns with their bytes; one's own that a folder brought, too, stay. Returns their number. */
export function withdraw(connection: Connection, turnIds: readonly number[]): number {
  if (turnIds.length === 0) return 0;
  const json = JSON.stringify(turnIds);
  const both = connection.column<number>(
    "SELECT turn_id AS id FROM folder_turns WHERE turn_id IN (SELECT value FROM json_each(?))",
    json,
  );
  if (both.length === 0) return removeTurns(connection, { ...NO_PLAN, turnIds }, "withdraw");
  connection.run(
    "UPDATE turns SET device_id = NULL, turn_key = NULL WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(both),
  );
  const others = turnIds.filter((id) => !both.includes(id));
  return both.length + removeTurns(connection, { ...NO_PLAN, turnIds: others }, "withdraw");
}

// Other turns of the session may quote this prompt, and the first may carry a title that tells of it.
function lookAgain(connection: Connection, sessionId: string): void {
  connection.run(
    `INSERT OR IGNORE INTO team_dirty (turn_id) SELECT id FROM turns WHERE session_id = ? AND author IS NULL
       AND device_id IS NULL`,
    sessionId,
  );
}
