import type { SessionFacts, Turn } from "../../../domain.ts";
import { isFollowedBy, withoutForward } from "../../../turn/cut.ts";
import { firstWords, HEAD_CHARS } from "../../../turn/first-words.ts";
import type { KnownEntry, WriteBatch } from "../../contract/types/stored.ts";
import { entryKey } from "../../shared/entry-key.ts";
import type { Connection } from "../connection/connection.ts";
import { withoutForgottenFields } from "./fields.ts";
import { withoutNext } from "./forward.ts";
import { hasTombstone, hasTombstones, insertTombstone, tombstoneHash } from "./tombstone-hash.ts";

/**
 * What a tombstone keeps from coming back:
 * - `session`: all turns of a session.
 * - `prompt`: the turn that starts with this prompt, by the prompt's uuid.
 * - `entry`: each turn that contains this transcript entry, by the entry's uuid.
 * - `place`: the turn at this line of its transcript, where entries have no uuids.
 * - `text`: each turn with this text, where entries have no uuids.
 * - `title`: the title and the first prompt of this session.
 * - `words`: this title or first prompt, in any session.
 * - `task`: the task of a subagent.
 * - `link`: the address of a pull request.
 * - `next`: the forward context of a turn.
 */
export type TombstoneKind =
  | "session"
  | "prompt"
  | "entry"
  | "place"
  | "text"
  | "title"
  | "words"
  | "task"
  | "link"
  | "next";

type Key = readonly [kind: TombstoneKind, value: string];

/** What identifies a turn. A negative line index means that the transcript no longer has the turn. */
export type BuriedTurn = Pick<
  Turn,
  "sessionId" | "agentId" | "lineIndex" | "promptUuid" | "entryUuids" | "text" | "parts"
>;

/** The place of a forgotten entry: no turn of no session. */
const NOWHERE: KnownEntry = { turnId: 0, sessionId: "", agentId: null, promptUuid: null };

/** Returns the batch without what was forgotten. New parts of a forgotten turn get tombstones too. */
export function withoutForgotten(connection: Connection, given: WriteBatch): WriteBatch {
  if (!hasTombstones(connection)) return given;
  const batch = withoutForgottenFields(connection, given);
  const known = new Map<string, boolean>();
  const stays = ({ sessionId }: { sessionId: string }): boolean => {
    const gone = known.get(sessionId) ?? hasTombstone(connection, "session", sessionId);
    known.set(sessionId, gone);
    return !gone;
  };
  const isForgottenText = (words: string | null) =>
    words !== null && hasTombstone(connection, "words", words);
  const losesTitle = ({ sessionId, title, firstPrompt }: SessionFacts) =>
    !stays({ sessionId }) ||
    hasTombstone(connection, "title", sessionId) ||
    isForgottenText(title) ||
    isForgottenText(firstPrompt);
  return {
    ...batch,
    source: { ...batch.source, sessions: batch.source.sessions.filter((facts) => !losesTitle(facts)) },
    sessions: batch.sessions.filter(stays).map((facts) => {
      const isUntitled = hasTombstone(connection, "title", facts.sessionId);
      const title = isUntitled || isForgottenText(facts.title) ? { title: null, titleSource: null } : {};
      return {
        ...facts,
        ...title,
        ...((isUntitled || isForgottenText(facts.firstPrompt)) && { firstPrompt: null }),
      };
    }),
    subagents: batch.subagents
      .filter(stays)
      .map((facts) =>
        hasTombstone(connection, "task", agentValue(facts)) ? { ...facts, task: null } : facts,
      ),
    turns: withoutBuried(connection, batch.turns, stays),
    copies: batch.copies.filter(stays),
    prLinks: batch.prLinks.filter(
      (link) => stays(link) && !hasTombstone(connection, "link", `${link.sessionId}\n${link.prUrl}`),
    ),
    compactions: batch.compactions.filter(stays),
  };
}

/** Whether a turn was forgotten and must not be stored again. */
export function isForgotten(connection: Connection, turn: BuriedTurn): boolean {
  return (
    hasTombstones(connection) &&
    (hasTombstone(connection, "session", turn.sessionId) ||
      keysOf(turn).some((key) => hasTombstone(connection, ...key)))
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

type Item = WriteBatch["turns"][number];

function withoutBuried(
  connection: Connection,
  items: readonly Item[],
  stays: (turn: Turn) => boolean,
): Item[] {
  const gone = items.filter(({ turn }) => staysBuried(connection, turn, !stays(turn)));
  return items
    .filter((item) => !gone.includes(item))
    .map((item) => {
      const { turn, chunks } = item;
      if (hasTombstone(connection, "next", turnValue(turn))) return withoutNext(turn, chunks);
      // Without uuids, a moved turn is recognised by its text, and the turn before it by its forward context.
      if (!gone.some((next) => isFollowedBy(turn, next.turn))) return item;
      buryForward(connection, turn);
      return withoutNext(turn, chunks);
    });
}

// A turn that was identified by its place and now has uuids is identified by the uuids from now on.
function staysBuried(connection: Connection, turn: Turn, withSession: boolean): boolean {
  const found = keysOf(turn).filter(([kind, value]) => hasTombstone(connection, kind, value));
  if (found.length === 0 && !withSession) return false;
  buryTurn(connection, turn);
  for (const [kind, value] of found) {
    if (kind === "place" && turn.promptUuid !== null)
      connection.run(
        "DELETE FROM tombstones WHERE kind = ? AND hash = ?",
        kind,
        tombstoneHash(connection, kind, value),
      );
  }
  return true;
}

function keysOf(turn: BuriedTurn): Key[] {
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

function turnValue({ sessionId, agentId, lineIndex, promptUuid }: BuriedTurn): string {
  return promptUuid ?? `${sessionId}\n${agentId ?? ""}\n${lineIndex}`;
}

function agentValue({ sessionId, agentId }: { sessionId: string; agentId: string }): string {
  return `${sessionId}\n${agentId}`;
}
