import { firstWords, HEAD_CHARS } from "../../../turn/title.ts";
import { wordingOf } from "../../../turn/wording.ts";
import type { WriteBatch } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import { hasTombstoneHash, tombstoneHash } from "./tombstone-hash.ts";
import { agentValue, keysOf, turnValue } from "./tombstones.ts";
import { SAID } from "./wordings.ts";

/** Before the kind of a tombstone: it was made because an import was undone, and for nothing else. */
const UNDONE = "undone:";

const NOTE_UNDONE = `AFTER INSERT ON main.tombstones WHEN substr(NEW.kind, 1, ${UNDONE.length}) <> '${UNDONE}' BEGIN
  INSERT OR IGNORE INTO tombstones (kind, hash, created_at) VALUES ('${UNDONE}' || NEW.kind, NEW.hash, NEW.created_at);
END`;

const NOTE_FORGOTTEN = `BEFORE INSERT ON main.tombstones BEGIN
  DELETE FROM tombstones WHERE kind = '${UNDONE}' || NEW.kind AND hash = NEW.hash;
END`;

/** Runs a removal. Of each tombstone that it makes, notes whether it only undoes an import: `letInAgain` removes such ones. */
export function notingUndone<Result>(
  connection: Connection,
  undoesImport: boolean,
  remove: () => Result,
): Result {
  // Tombstones are made in many places; a trigger of this connection alone sees them all.
  connection.exec(`CREATE TEMP TRIGGER note_tombstone ${undoesImport ? NOTE_UNDONE : NOTE_FORGOTTEN}`);
  try {
    return remove();
  } finally {
    connection.exec("DROP TRIGGER IF EXISTS temp.note_tombstone");
  }
}

type Arriving = Pick<WriteBatch, "turns" | "sessions" | "subagents" | "prLinks">;

/** Lets these turns in that were kept out since an import was undone. What was forgotten in another way stays so. */
export function letInAgain(connection: Connection, arriving: Arriving): void {
  connection.transaction(() => {
    for (const [kind, value] of tombstonesOf(arriving)) {
      const hash = tombstoneHash(connection, kind, value);
      if (!hasTombstoneHash(connection, UNDONE + kind, hash)) continue;
      for (const each of [kind, UNDONE + kind])
        connection.run("DELETE FROM tombstones WHERE kind = ? AND hash = ?", each, hash);
    }
  });
}

/** All tombstones that turns and what is known of their sessions can have. */
function tombstonesOf({ turns, sessions, subagents, prLinks }: Arriving): [kind: string, value: string][] {
  return [
    ...turns.flatMap(({ turn }): [string, string][] => [
      ...keysOf(turn).map(([kind, value]): [string, string] => [kind, value]),
      ["words", firstWords({ text: turn.text.slice(0, HEAD_CHARS), parts: turn.parts })],
      ["next", turnValue(turn)],
      ["held", turn.sessionId],
      ["title", turn.sessionId],
      ...(turn.agentId === null
        ? []
        : [["task", agentValue({ sessionId: turn.sessionId, agentId: turn.agentId })] as [string, string]]),
      ...wordingOf(turn).turn.map((value): [string, string] => [SAID, value]),
    ]),
    ...sessions.flatMap(({ sessionId, title, firstPrompt }): [string, string][] => [
      ["title", sessionId],
      ...[title, firstPrompt].flatMap((words): [string, string][] =>
        words === null ? [] : [["words", words]],
      ),
    ]),
    ...subagents.map((facts): [string, string] => ["task", agentValue(facts)]),
    ...prLinks.flatMap(({ sessionId, prUrl, timestamp }): [string, string][] => [
      ["link", `${sessionId}\n${prUrl}`],
      ["address", `${prUrl}\n${timestamp ?? ""}`],
    ]),
  ];
}
