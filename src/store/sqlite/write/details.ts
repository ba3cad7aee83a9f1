import type { FileMention, Turn } from "../../../domain.ts";
import type { Clean } from "../../../redact/gate.ts";
import { fileName } from "../../resources.ts";
import type { Connection } from "../connection/connection.ts";
import { writeCures } from "../turns/cures.ts";

/** The stored form of a uuid in `j.value`: 16 bytes, or the text itself when it is not a uuid. */
export const UUID_KEY = "coalesce(unhex(j.value, '-'), j.value)";

/** Replaces the entries, mentions, commits and cures of a turn. */
export function writeTurnDetails(connection: Connection, turnId: number, turn: Clean<Turn>): void {
  connection.run("DELETE FROM entries WHERE turn_id = ?", turnId);
  const insert = (conflict: "REPLACE" | "IGNORE", uuids: readonly string[]) =>
    connection.run(
      `INSERT OR ${conflict} INTO entries (uuid, turn_id) SELECT ${UUID_KEY}, ? FROM json_each(?) j WHERE j.value <> ''`,
      turnId,
      JSON.stringify(uuids),
    );
  insert("REPLACE", [...new Set(turn.entryUuids)]);
  // The prompt of a copied turn stays with the turn that had it first.
  insert("IGNORE", turn.promptUuid === null ? [] : [turn.promptUuid]);
  connection.run("DELETE FROM file_mentions WHERE turn_id = ?", turnId);
  for (const mention of turn.mentions) writeMention(connection, turnId, mention);
  connection.run("DELETE FROM commits WHERE turn_id = ?", turnId);
  for (const commit of turn.commits) {
    connection.run(
      "INSERT OR IGNORE INTO commits (turn_id, hash, message) VALUES (?, ?, ?)",
      turnId,
      commit.hash.toLowerCase(),
      commit.message,
    );
  }
  writeCures(connection, turnId, turn.cures ?? []);
  connection.run("INSERT OR IGNORE INTO stale_access_patterns (session_id) VALUES (?)", turn.sessionId);
}

export function writeMention(connection: Connection, turnId: number, mention: Clean<FileMention>): void {
  const { filePath, toolName } = mention;
  connection.run(
    `INSERT OR IGNORE INTO file_mentions (turn_id, file_path, file_name, tool_name)
     VALUES ($turnId, $filePath, $fileName, $toolName)`,
    { turnId, filePath, fileName: fileName(filePath), toolName },
  );
}
