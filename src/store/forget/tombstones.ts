import type { SessionFacts, Turn } from "../../domain.ts";
import { isFollowedBy, withoutForward } from "../../turn/cut.ts";
import { firstWords, HEAD_CHARS } from "../../turn/first-words.ts";
import type { Connection } from "../connection/connection.ts";
import type { KnownEntry, WriteBatch } from "../types.ts";
import { withoutForgottenFields } from "./fields.ts";
import { withoutNext } from "./forward.ts";
import { hasTombstone, hasTombstones, insertTombstone, tombstoneHash } from "./tombstone-hash.ts";

/**
 * What a tombstone keeps away: a whole session; the turn of a prompt; any turn with an entry; for turns without uuids
 * the turn at a place or of a text; the title and first prompt of a session; these words as either of any session; a subagent's task; a pull request's
 * address; `next`: the forward context of a turn, which is the prompt of a turn that was forgotten.
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

/** What identifies a turn. A negative line means that its transcript no longer holds it. */
export type BuriedTurn = Pick<
  Turn,
  "sessionId" | "agentId" | "lineIndex" | "promptUuid" | "entryUuids" | "text" | "parts"
>;

/** Where a forgotten entry is said to live: in no turn of no session. */
const NOWHERE: KnownEntry = { turnId: 0, sessionId: "", agentId: null, promptUuid: null };

/** Returns the batch without what was forgotten on purpose; what belongs to it and is new is buried with it. */
export function withoutForgotten(connection: Connection, given: WriteBatch): WriteBatch {
  if (!hasTombstones(connection)) return given;
  const batch = withoutForgottenFields(connection, given);
  const known = new Map<string, boolean>();
  const stays = ({ sessionId }: { sessionId: string }): boolean => {
    const gone = known.get(sessionId) ?? hasTombstone(connection, "session", sessionId);
    known.set(sessionId, gone);
    return !gone;
  };
  const isSaid = (words: string | null) => words !== null && hasTombstone(connection, "words", words);
  const isNameless = ({ sessionId, title, firstPrompt }: SessionFacts) =>
    !stays({ sessionId }) ||
    hasTombstone(connection, "title", sessionId) ||
    isSaid(title) ||
    isSaid(firstPrompt);
  return {
    ...batch,
    source: { ...batch.source, sessions: batch.source.sessions.filter((facts) => !isNameless(facts)) },
    sessions: batch.sessions.filter(stays).map((facts) => {
      const isNever = hasTombstone(connection, "title", facts.sessionId);
      const title = isNever || isSaid(facts.title) ? { title: null, titleSource: null } : {};
      return { ...facts, ...title, ...((isNever || isSaid(facts.firstPrompt)) && { firstPrompt: null }) };
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

/** Whether the turn was forgotten, and would come back if it was stored. */
export function isForgotten(connection: Connection, turn: BuriedTurn): boolean {
  return (
    hasTombstones(connection) &&
    (hasTombstone(connection, "session", turn.sessionId) ||
      keysOf(turn).some((key) => hasTombstone(connection, ...key)))
  );
}

/** Of these entries, those that were forgotten, as if they were known from elsewhere: a copy of them adds nothing. */
export function forgottenEntries(connection: Connection, uuids: readonly string[]): Map<string, KnownEntry> {
  if (!hasTombstones(connection)) return new Map();
  const isGone = (uuid: string) =>
    hasTombstone(connection, "entry", entryValue(uuid)) ||
    hasTombstone(connection, "prompt", entryValue(uuid));
  return new Map(uuids.filter(isGone).map((uuid) => [uuid, NOWHERE]));
}

/** Keeps the turn from coming back, whole or in parts; `lightly` by its prompt alone. */
export function buryTurn(connection: Connection, turn: BuriedTurn, lightly = false): void {
  for (const [kind, value] of keysOf(turn)) {
    if (lightly && kind === "entry") continue;
    // With a prompt to go by, another turn may come to stand at its place.
    if (turn.promptUuid === null || (kind !== "place" && kind !== "text")) bury(connection, kind, value);
  }
  // A session that was copied from the turn's own begins with it.
  if (!lightly)
    bury(connection, "words", firstWords({ text: turn.text.slice(0, HEAD_CHARS), parts: turn.parts }));
}

/** Keeps the prompt that follows this turn from coming back as its forward context. */
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
      // Without uuids a turn that moved is known by its text alone, as is the one before it by how it ends.
      if (!gone.some((next) => isFollowedBy(turn, next.turn))) return item;
      buryForward(connection, turn);
      return withoutNext(turn, chunks);
    });
}

// A turn that was known by its place alone and now has uuids is known by these from here on.
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
  const keys: Key[] = entryUuids.map((uuid): Key => ["entry", entryValue(uuid)]);
  if (lineIndex >= 0) keys.push(["place", `${thread}\n${lineIndex}`]);
  if (promptUuid !== null) keys.push(["prompt", entryValue(promptUuid)], ["entry", entryValue(promptUuid)]);
  else
    keys.push([
      "text",
      `${thread}
${withoutForward(turn).text}`,
    ]);
  return keys;
}

/** A uuid in the one form in which all its spellings meet, as the entries' table has it. */
function entryValue(uuid: string): string {
  return /^-*(?:[0-9a-f]{2}-*)+$/i.test(uuid) ? uuid.replaceAll("-", "").toLowerCase() : uuid;
}

function turnValue({ sessionId, agentId, lineIndex, promptUuid }: BuriedTurn): string {
  return promptUuid ?? `${sessionId}\n${agentId ?? ""}\n${lineIndex}`;
}

function agentValue({ sessionId, agentId }: { sessionId: string; agentId: string }): string {
  return `${sessionId}\n${agentId}`;
}
