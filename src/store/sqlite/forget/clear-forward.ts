import type { Chunk, Turn } from "../../../domain.ts";
import { isFollowedBy, withoutForward } from "../../../turn/parts.ts";
import type { TurnText } from "../../../turn/text.ts";
import { decodeParts } from "../../turn-rows.ts";
import type { Connection } from "../connection/connection.ts";
import { PARTS, TEXT, type TextRow } from "../turns/columns.ts";
import { replaceText } from "../write/chunks.ts";
import { type BuriedTurn, buryForward } from "./tombstones.ts";

interface Gone extends BuriedTurn {
  turnId: number;
}

type Row = Omit<BuriedTurn, "entryUuids">;

/** Removes the prompts of removed turns from the turns before them, and keeps them from coming back. */
export function clearForwards(connection: Connection, sessionId: string, gone: readonly Gone[]): void {
  const goneIds = new Set(gone.map(({ turnId }) => turnId));
  const rows = connection
    .all<TextRow & { agentId: string | null }>(
      `SELECT ${TEXT}, t.agent_id AS agentId FROM turns t
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

/** Removes a prompt that is gone from the stored turn before it in the same conversation, where that quotes it. */
export function clearForwardBefore(connection: Connection, gone: Turn): void {
  const before = connection.get<TextRow>(
    `SELECT ${TEXT} FROM turns t
     WHERE t.session_id = $sessionId AND coalesce(t.agent_id, '') = $agent AND t.line_index < $lineIndex
       AND t.author IS NULL ORDER BY t.line_index DESC LIMIT 1`,
    { sessionId: gone.sessionId, agent: gone.agentId ?? "", lineIndex: gone.lineIndex },
  );
  if (before === null) return;
  if (isFollowedBy({ text: before.text, parts: decodeParts(before.parts) }, gone))
    clearForward(connection, before.id);
}

/** Removes the forward context of a turn, and keeps it from coming back. */
export function clearForward(connection: Connection, turnId: number): void {
  const row = rowOf(connection, turnId);
  if (row === null) return;
  buryForward(connection, { ...row, entryUuids: [] });
  const chunks = connection.all<Chunk>(
    `SELECT chunk_index AS chunkIndex, content, start, "end" FROM chunks WHERE turn_id = ? ORDER BY chunk_index`,
    turnId,
  );
  const left = withoutNext(row, chunks);
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
export function withoutNext<Turn extends TurnText>(
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
