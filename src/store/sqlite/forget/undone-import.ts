import { firstWords, HEAD_CHARS } from "../../../turn/title.ts";
import { hashWording } from "../../../turn/wording.ts";
import type { WriteBatch } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import { hasTombstoneHash, tombstoneHash } from "./tombstone-hash.ts";
import { agentValue, keysOf, turnValue } from "./tombstones.ts";
import { WORDS_KIND } from "./wordings.ts";

/** Prefix of the kind of a tombstone that exists only because an import was undone. */
const UNDONE = "undone:";

const NOTE_UNDONE = `AFTER INSERT ON main.tombstones WHEN substr(NEW.kind, 1, ${UNDONE.length}) <> '${UNDONE}' BEGIN
  INSERT OR IGNORE INTO tombstones (kind, hash, created_at) VALUES ('${UNDONE}' || NEW.kind, NEW.hash, NEW.created_at);
END`;

const NOTE_FORGOTTEN = `BEFORE INSERT ON main.tombstones BEGIN
  DELETE FROM tombstones WHERE kind = '${UNDONE}' || NEW.kind AND hash = NEW.hash;
END`;

/** Runs a removal and records which of its tombstones only undo an import, for `readmit`. */
export function recordingUndone<Result>(
  connection: Connection,
  undoesImport: boolean,
  remove: () => Result,
): Result {
  // Many functions make tombstones; a trigger of this connection sees them all.
  connection.exec(`CREATE TEMP TRIGGER note_tombstone ${undoesImport ? NOTE_UNDONE : NOTE_FORGOTTEN}`);
  try {
    return remove();
  } finally {
    connection.exec("DROP TRIGGER IF EXISTS temp.note_tombstone");
  }
}

type Arriving = Pick<WriteBatch, "turns" | "sessions" | "subagents" | "prLinks">;

/** Readmits turns that were only kept out because an import was undone. Other forgotten data stays out. */
export function readmit(connection: Connection, arriving: Arriving): void {
  connection.transaction(() => {
    for (const [kind, value] of tombstonesOf(arriving)) {
      const hash = tombstoneHash(connection, kind, value);
      if (!hasTombstoneHash(connection, UNDONE + kind, hash)) continue;
      for (const each of [kind, UNDONE + kind])
        connection.run("DELETE FROM tombstones WHERE kind = ? AND hash = ?", each, hash);
    }
  });
}

/** Returns all possible tombstones of turns and of their sessions' facts. */
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
      ...hashWording(turn).turn.map((value): [string, string] => [WORDS_KIND, value]),
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
