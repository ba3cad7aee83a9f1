import type { PrLink, SessionFacts, Turn } from "../../../domain.ts";
import { isFollowedBy } from "../../../turn/parts.ts";
import type { WriteBatch } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import { clearForwardBefore, withoutNext } from "./clear-forward.ts";
import { markUncompacted } from "./compact.ts";
import { withoutForgottenFields, withoutKindsOf } from "./fields.ts";
import { hasTombstone, hasTombstones, tombstoneHash } from "./tombstone-hash.ts";
import { agentValue, buryForward, buryTurn, keysOf, turnValue } from "./tombstones.ts";
import { quotesForgotten, saysForgotten } from "./wordings.ts";

/** Returns the batch without what was forgotten. New parts of a forgotten turn get tombstones too. */
export function withoutForgotten(connection: Connection, given: WriteBatch): WriteBatch {
  if (!hasTombstones(connection)) return given;
  const batch = withoutForgottenFields(connection, given);
  // Tombstones keep out copies of what was forgotten. These words are new ones.
  if (given.isWrittenNow) return batch;
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
    source: {
      ...withoutKindsOf(batch.source, stays),
      sessions: batch.source.sessions.filter((facts) => !losesTitle(facts)),
    },
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
    prLinks: batch.prLinks.filter((link) => stays(link) && !isForgottenLink(connection, link)),
    compactions: batch.compactions.filter(stays),
  };
}

type Item = WriteBatch["turns"][number];

function withoutBuried(
  connection: Connection,
  items: readonly Item[],
  stays: (turn: Turn) => boolean,
): Item[] {
  const gone = new Set(items.filter(({ turn }) => staysBuried(connection, turn, !stays(turn))));
  for (const { turn } of gone) clearForwardBefore(connection, turn);
  return items
    .filter((item) => !gone.has(item))
    .map((item) => {
      const { turn, chunks } = item;
      if (hasTombstone(connection, "next", turnValue(turn))) return withoutNext(turn, chunks);
      // Without uuids, a moved turn is recognised by its text, and the turn before it by its forward context.
      const next = gone.size === 0 ? null : nextOf(item, items);
      const isGone = next !== null && gone.has(next) && isFollowedBy(turn, next.turn);
      if (!isGone && !quotesForgotten(connection, turn)) return item;
      buryForward(connection, turn);
      return withoutNext(turn, chunks);
    });
}

/** Returns the turn that follows in the same conversation. */
function nextOf({ turn }: Item, items: readonly Item[]): Item | null {
  const later = items.filter(
    ({ turn: other }) => isSameThread(turn, other) && other.lineIndex > turn.lineIndex,
  );
  return later.reduce<Item | null>(
    (next, item) => (next === null || item.turn.lineIndex < next.turn.lineIndex ? item : next),
    null,
  );
}

function isSameThread(a: Turn, b: Turn): boolean {
  return a.sessionId === b.sessionId && a.agentId === b.agentId;
}

/** Whether a turn was forgotten. What is new in it gets tombstones, and its beginning that was stored before goes. */
function staysBuried(connection: Connection, turn: Turn, withSession: boolean): boolean {
  const found = keysOf(turn).filter(([kind, value]) => hasTombstone(connection, kind, value));
  const isKnown = found.length > 0 || withSession;
  if (!isKnown && !saysForgotten(connection, turn)) return false;
  dropBeginning(connection, turn);
  // A turn that goes on says more with the next read, which may be something else.
  if (!isKnown && turn.provisional) return true;
  buryTurn(connection, turn);
  for (const [kind, value] of found) {
    // A turn that was identified by its place and now has uuids is identified by the uuids from now on.
    if (kind === "place" && turn.promptUuid !== null)
      connection.run(
        "DELETE FROM tombstones WHERE kind = ? AND hash = ?",
        kind,
        tombstoneHash(connection, kind, value),
      );
  }
  return true;
}

/** A turn is recognised by its words once they are complete: until then its beginning may have been stored. */
function dropBeginning(connection: Connection, { sessionId, agentId, lineIndex, promptUuid }: Turn): void {
  const { changes } = connection.run(
    `DELETE FROM turns WHERE session_id = $sessionId AND coalesce(agent_id, '') = $agent AND provisional
       AND author IS NULL AND (line_index = $lineIndex OR prompt_uuid = $promptUuid)`,
    { sessionId, agent: agentId ?? "", lineIndex, promptUuid },
  );
  if (changes > 0) markUncompacted(connection);
}

function isForgottenLink(connection: Connection, { sessionId, prUrl, timestamp }: PrLink): boolean {
  return (
    hasTombstone(connection, "link", `${sessionId}\n${prUrl}`) ||
    hasTombstone(connection, "address", prUrl) ||
    hasTombstone(connection, "address", `${prUrl}\n${timestamp ?? ""}`)
  );
}
