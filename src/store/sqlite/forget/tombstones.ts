import type { Turn } from "../../../domain.ts";
import { withoutForward } from "../../../turn/parts.ts";
import { firstWords, HEAD_CHARS } from "../../../turn/title.ts";
import { entryKey } from "../../identity.ts";
import type { KnownEntry } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import { hasTombstone, hasTombstones, insertTombstone } from "./tombstone-hash.ts";
import { hasForgottenWords } from "./wordings.ts";

/**
 * Kinds of tombstones, by the data that each keeps from coming back:
 * - `session`: all turns of a session.
 * - `held`: entries of an agent's prompt list for a session that lost something.
 * - `prompt`: the turn that starts with this prompt, by the prompt's uuid.
 * - `entry`: each turn with this transcript entry, by the entry's uuid.
 * - `place`: the turn at this line of its transcript, if entries have no uuids.
 * - `text`: each turn with this text, if entries have no uuids.
 * - `title`: the title and the first prompt of this session.
 * - `words`: this title or first prompt, in any session.
 * - `task`: the task of a subagent.
 * - `link`: the address of a pull request in this session.
 * - `address`: the address of a pull request in any session; with a time, that record of it.
 * - `next`: the forward context of a turn.
 *
 * Two more kinds are in other files: the words of turns (`wordings.ts`) and facts (`fields.ts`).
 */
export type TombstoneKind =
  | "session"
  | "held"
  | "prompt"
  | "entry"
  | "place"
  | "text"
  | "title"
  | "words"
  | "task"
  | "link"
  | "address"
  | "next";

type Key = readonly [kind: TombstoneKind, value: string];

/** The identity of a turn. A negative line index means that the transcript no longer contains the turn. */
export type BuriedTurn = Pick<
  Turn,
  "sessionId" | "agentId" | "lineIndex" | "promptUuid" | "entryUuids" | "text" | "parts" | "wording"
>;

/** Placeholder for a forgotten entry, without turn and session. */
const NOWHERE: KnownEntry = { turnId: 0, sessionId: "", agentId: null, promptUuid: null };

/** Tells whether a turn was forgotten and must not be stored again, by its identity or its words. */
export function isForgotten(connection: Connection, turn: BuriedTurn): boolean {
  return isBuried(connection, turn, "pruned") || hasForgottenWords(connection, turn);
}

/** Tells whether this very turn was forgotten or, with `pruned`, also pruned. Other turns with the same words do not count. */
export function isBuried(connection: Connection, turn: BuriedTurn, how: "for good" | "pruned"): boolean {
  // A prune keeps out the turn's prompt, but not its other entries.
  const keys = keysOf(turn).filter(([kind]) => how === "pruned" || kind === "entry");
  return (
    hasTombstones(connection) &&
    (hasTombstone(connection, "session", turn.sessionId) ||
      keys.some((key) => hasTombstone(connection, ...key)))
  );
}

/** Returns the forgotten ones of these entries. They count as known, so that a copy of them adds nothing. */
export function forgottenEntries(connection: Connection, uuids: readonly string[]): Map<string, KnownEntry> {
  if (!hasTombstones(connection)) return new Map();
  const isGone = (uuid: string) =>
    hasTombstone(connection, "entry", entryKey(uuid)) || hasTombstone(connection, "prompt", entryKey(uuid));
  return new Map(uuids.filter(isGone).map((uuid) => [uuid, NOWHERE]));
}

/** Keeps a turn from coming back. With `byPromptOnly`, other turns with some of its entries may still be stored. */
export function buryTurn(connection: Connection, turn: BuriedTurn, byPromptOnly = false): void {
  for (const [kind, value] of keysOf(turn)) {
    if (byPromptOnly && kind === "entry") continue;
    // If the prompt identifies the turn, another turn may use its place.
    if (turn.promptUuid === null || (kind !== "place" && kind !== "text")) bury(connection, kind, value);
  }
  // A session that was copied from this one begins with the same words.
  if (!byPromptOnly)
    bury(connection, "words", firstWords({ text: turn.text.slice(0, HEAD_CHARS), parts: turn.parts }));
}

/** Keeps the forward context of a turn from coming back. */
export function buryForward(connection: Connection, turn: BuriedTurn): void {
  bury(connection, "next", turnValue(turn));
}

export function buryTask(connection: Connection, subagent: { sessionId: string; agentId: string }): void {
  bury(connection, "task", agentValue(subagent));
}

export function bury(connection: Connection, kind: TombstoneKind, value: string): void {
  insertTombstone(connection, kind, value);
}

/** Returns the keys of a turn by its place and its entries. */
export function keysOf(turn: BuriedTurn): Key[] {
  const { sessionId, agentId, lineIndex, promptUuid, entryUuids } = turn;
  const thread = `${sessionId}\n${agentId ?? ""}`;
  const keys: Key[] = entryUuids.map((uuid): Key => ["entry", entryKey(uuid)]);
  if (lineIndex >= 0) keys.push(["place", `${thread}\n${lineIndex}`]);
  if (promptUuid !== null) keys.push(["prompt", entryKey(promptUuid)], ["entry", entryKey(promptUuid)]);
  else
    keys.push([
      "text",
      `${thread}
${withoutForward(turn).text}`,
    ]);
  return keys;
}

/** Returns the tombstone value of a turn's forward context. */
export function turnValue({ sessionId, agentId, lineIndex, promptUuid }: BuriedTurn): string {
  return promptUuid ?? `${sessionId}\n${agentId ?? ""}\n${lineIndex}`;
}

/** Returns the tombstone value of a subagent's task. */
export function agentValue({ sessionId, agentId }: { sessionId: string; agentId: string }): string {
  return `${sessionId}\n${agentId}`;
}
