import { type TurnIdentity, turnKey } from "../../shared/digest.ts";
import type { Connection } from "../connection/connection.ts";

/**
 * Notes in the transaction that forgets turns that all devices of the user must forget them; also before there is a second
 * device. What was imported or came from colleagues never left through a folder.
 */
export function forgetEverywhere(connection: Connection, turnIds: readonly number[]): void {
  for (const key of keysOf(connection, turnIds)) {
    connection.run("INSERT OR IGNORE INTO folder_gone (turn_key) VALUES (?)", key);
    connection.run("DELETE FROM folder_items WHERE turn_key = ?", key);
    connection.run("DELETE FROM folder_marks WHERE turn_key = ?", key);
  }
}

/** Notes that turns are pruned here: the folder keeps them for other devices. */
export function keepInFolder(connection: Connection, turnIds: readonly number[]): void {
  connection.run(
    "UPDATE folder_items SET turn_id = NULL WHERE turn_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(turnIds),
  );
}

function keysOf(connection: Connection, turnIds: readonly number[]): string[] {
  return connection
    .all<TurnIdentity & { key: string | null }>(
      `SELECT s.client, t.session_id AS sessionId, t.agent_id AS agentId, t.prompt_uuid AS promptUuid,
         t.line_index AS lineIndex, t.created_at AS createdAt, coalesce(
           (SELECT i.turn_key FROM folder_items i WHERE i.turn_id = t.id AND i.mark = ''),
           (SELECT f.turn_key FROM folder_turns f WHERE f.turn_id = t.id), lower(hex(t.turn_key))) AS key
       FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value JOIN sessions s ON s.session_id = t.session_id
       WHERE t.author IS NULL AND t.foreign_origin IS NULL`,
      JSON.stringify(turnIds),
    )
    .map(({ key, ...identity }) => key || Buffer.from(turnKey(identity)).toString("hex"));
}
