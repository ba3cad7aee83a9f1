import type { Turn } from "../../../domain.ts";
import { withoutForward } from "../../../turn/parts.ts";
import { firstWords, HEAD_CHARS } from "../../../turn/title.ts";
import { entryKey } from "../../identity.ts";
import type { KnownEntry } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import { hasTombstone, hasTombstones, insertTombstone } from "./tombstone-hash.ts";
import { saysForgotten } from "./wordings.ts";

/**
 * What a tombstone keeps from coming back:
 * - `session`: all turns of a session.
 * - `held`: what an agent's list of prompts has of a session that something was removed of.
 * - `prompt`: the turn that starts with this prompt, by the prompt's uuid.
 * - `entry`: each turn that contains this transcript entry, by the entry's uuid.
 * - `place`: the turn at this line of its transcript, where entries have no uuids.
 * - `text`: each turn with this text, where entries have no uuids.
 * - `title`: the title and the first prompt of this session.
 * - `words`: this title or first prompt, in any session.
 * - `task`: the task of a subagent.
 * - `link`: the address of a pull request in this session.
 * - `address`: the address of a pull request in any session; with a time, that record of it.
 * - `next`: the forward context of a turn.
 *
 * Tombstones of two more kinds are in files of their own: what turns said (`wordings.ts`) and facts (`fields.ts`).
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

/** What identifies a turn. A negative line index means that the transcript no longer has the turn. */
export type BuriedTurn = Pick<
  Turn,
  "sessionId" | "agentId" | "lineIndex" | "promptUuid" | "entryUuids" | "text" | "parts" | "wording"
>;

/** The place of a forgotten entry: no turn of no session. */
const NOWHERE: KnownEntry = { turnId: 0, sessionId: "", agentId: null, promptUuid: null };

/** Whether a turn was forgotten and must not be stored again, by what it is or what it says. */
export function isForgotten(connection: Connection, turn: BuriedTurn): boolean {
  return isBuried(connection, turn, "pruned") || saysForgotten(connection, turn);
}

/** Whether this very turn was forgotten, or also one that was pruned. Another one may say the same. */
export function isBuried(connection: Connection, turn: BuriedTurn, how: "for good" | "pruned"): boolean {
  // What was pruned keeps its prompt out, and not what else stands in the entry.
  const keys = keysOf(turn).filter(([kind]) => how === "pruned" || kind === "entry");
  return (
    hasTombstones(connection) &&
    (hasTombstone(connection, "session", turn.sessionId) ||
      keys.some((key) => hasTombstone(connection, ...key)))
  );
}

/** Returns those entries that were forgotten. They count as known, so that a copy of them adds nothing. */
export function forgottenEntries(connection: Connection, uuids: readonly string[]): Map<string, KnownEntry> {
  if (!hasTombstones(connection)) return new Map();
  const isGone = (uuid: string) =>
    hasTombstone(connection, "entry", entryKey(uuid)) || hasTombstone(connection, "prompt", entryKey(uuid));
  return new Map(uuids.filter(isGone).map((uuid) => [uuid, NOWHERE]));
}

/** Keeps a turn from coming back. If `byPromptOnly`, other turns with some of its entries may still be stored. */
export function buryTurn(connection: Connection, turn: BuriedTurn, byPromptOnly = false): void {
  for (const [kind, value] of keysOf(turn)) {
    if (byPromptOnly && kind === "entry") continue;
    // When the prompt identifies the turn, another turn may use its place.
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

/** Returns what identifies a turn by its place and its entries. */
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

/** Identifies a turn among those that lost their forward context. */
export function turnValue({ sessionId, agentId, lineIndex, promptUuid }: BuriedTurn): string {
  return promptUuid ?? `${sessionId}\n${agentId ?? ""}\n${lineIndex}`;
}

/** Identifies a subagent among those that lost their task. */
export function agentValue({ sessionId, agentId }: { sessionId: string; agentId: string }): string {
  return `${sessionId}\n${agentId}`;
}
