import type { Chunk, PrLink, SessionFacts, Turn } from "../../../domain.ts";
import { isFollowedBy, withoutForward } from "../../../turn/parts.ts";
import type { TurnText } from "../../../turn/text.ts";
import type { WriteBatch } from "../../stored.ts";
import { decodeParts } from "../../turn-rows.ts";
import type { Connection } from "../connection/connection.ts";
import { PARTS, TEXT_SQL, type TextRow } from "../turns/columns.ts";
import { replaceText } from "../write/chunks.ts";
import { markUncompacted } from "./compact.ts";
import { withoutForgottenFields, withoutLineKinds } from "./fields.ts";
import { hasTombstone, hasTombstones, tombstoneHash } from "./tombstone-hash.ts";
import { agentValue, type BuriedTurn, buryForward, buryTurn, keysOf, turnValue } from "./tombstones.ts";
import { hasForgottenWords, quotesForgotten } from "./wordings.ts";

/** Removes forgotten data from a batch. New parts of a forgotten turn get tombstones, too. */
export function withoutForgotten(connection: Connection, given: WriteBatch): WriteBatch {
  if (!hasTombstones(connection)) return given;
  const batch = withoutForgottenFields(connection, given);
  // Tombstones keep out copies of forgotten text, but these words are new.
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
      ...withoutLineKinds(batch.source, stays),
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
      if (hasTombstone(connection, "next", turnValue(turn))) return withoutForwardContext(turn, chunks);
      // Without uuids, a moved turn is recognised by its text, and the turn before it by its forward context.
      const next = gone.size === 0 ? null : nextOf(item, items);
      const isGone = next !== null && gone.has(next) && isFollowedBy(turn, next.turn);
      if (!isGone && !quotesForgotten(connection, turn)) return item;
      buryForward(connection, turn);
      return withoutForwardContext(turn, chunks);
    });
}

/** Returns the next turn of the same conversation. */
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

/** Tells whether a turn was forgotten. Adds tombstones for its new parts, and removes its earlier version. */
function staysBuried(connection: Connection, turn: Turn, withSession: boolean): boolean {
  const found = keysOf(turn).filter(([kind, value]) => hasTombstone(connection, kind, value));
  const isKnown = found.length > 0 || withSession;
  if (!isKnown && !hasForgottenWords(connection, turn)) return false;
  dropBeginning(connection, turn);
  // A turn that is still in progress has more text at the next read, which may be different.
  if (!isKnown && turn.provisional) return true;
  buryTurn(connection, turn);
  for (const [kind, value] of found) {
    // A turn that was identified by its place and now has uuids is identified by these from now on.
    if (kind === "place" && turn.promptUuid !== null)
      connection.run(
        "DELETE FROM tombstones WHERE kind = ? AND hash = ?",
        kind,
        tombstoneHash(connection, kind, value),
      );
  }
  return true;
}

/**
 * Removes the stored beginning of a turn. A turn is recognised by its text only once it is complete, so its beginning may have
 * been stored.
 */
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

interface Gone extends BuriedTurn {
  turnId: number;
}

type Row = Omit<BuriedTurn, "entryUuids">;

/** Removes the prompts of removed turns from the forward context of earlier turns, for good. */
export function clearForwards(connection: Connection, sessionId: string, gone: readonly Gone[]): void {
  const goneIds = new Set(gone.map(({ turnId }) => turnId));
  const rows = connection
    .all<TextRow & { agentId: string | null }>(
      `SELECT ${TEXT_SQL}, t.agent_id AS agentId FROM turns t
       WHERE t.session_id = ?1 OR t.session_id IN
         (SELECT y.session_id FROM json_each(?2) j CROSS JOIN turn_copies y ON y.turn_id = j.value)
       ORDER BY t.created_at IS NULL, t.created_at, t.line_index, t.id`,
      sessionId,
      JSON.stringify([...goneIds]),
    )
    .map((row) => ({ ...row, parts: decodeParts(row.parts) }));
  for (const [at, row] of rows.entries()) {
    if (goneIds.has(row.id)) continue;
    // The forward context may have been cleaned or cut differently from the next turn itself.
    const next = rows.slice(at + 1).find(({ agentId }) => agentId === row.agentId);
    const losesNext = next !== undefined && goneIds.has(next.id);
    if (losesNext || gone.some((turn) => isFollowedBy(row, turn))) clearForward(connection, row.id);
  }
}

/** Removes a forgotten prompt from the stored turn before it in the same conversation, if that quotes it. */
function clearForwardBefore(connection: Connection, gone: Turn): void {
  const before = connection.get<TextRow>(
    `SELECT ${TEXT_SQL} FROM turns t
     WHERE t.session_id = $sessionId AND coalesce(t.agent_id, '') = $agent AND t.line_index < $lineIndex
       AND t.author IS NULL ORDER BY t.line_index DESC LIMIT 1`,
    { sessionId: gone.sessionId, agent: gone.agentId ?? "", lineIndex: gone.lineIndex },
  );
  if (before === null) return;
  if (isFollowedBy({ text: before.text, parts: decodeParts(before.parts) }, gone))
    clearForward(connection, before.id);
}

/** Removes the forward context of a turn for good. */
export function clearForward(connection: Connection, turnId: number): void {
  const row = rowOf(connection, turnId);
  if (row === null) return;
  buryForward(connection, { ...row, entryUuids: [] });
  const chunks = connection.all<Chunk>(
    `SELECT chunk_index AS chunkIndex, content, start, "end" FROM chunks WHERE turn_id = ? ORDER BY chunk_index`,
    turnId,
  );
  const left = withoutForwardContext(row, chunks);
  if (left.turn.text === row.text) return;
  replaceText(connection, turnId, left.turn, left.chunks);
}

function rowOf(connection: Connection, turnId: number): Row | null {
  const row = connection.get<Omit<Row, "parts"> & { parts: string | null }>(
    `SELECT t.session_id AS sessionId, t.agent_id AS agentId, coalesce(t.line_index, -1) AS lineIndex,
       t.prompt_uuid AS promptUuid, t.full_text AS text, ${PARTS} AS parts FROM turns t WHERE t.id = ?`,
    turnId,
  );
  return row && { ...row, parts: decodeParts(row.parts) };
}

/** Returns a turn and its chunks without the forward context. */
export function withoutForwardContext<Turn extends TurnText>(
  turn: Turn,
  chunks: readonly Chunk[],
): { turn: Turn; chunks: Chunk[] } {
  const left = withoutForward(turn);
  return { turn: { ...turn, ...left }, chunks: chunksWithin(chunks, left.text.length) };
}

function chunksWithin(chunks: readonly Chunk[], length: number): Chunk[] {
  return chunks
    .filter((chunk) => chunk.start < length)
    .map((chunk) => {
      const end = Math.min(chunk.end, length);
      return { ...chunk, content: chunk.content.slice(0, end - chunk.start), end };
    });
}
