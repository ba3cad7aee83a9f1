import type { Chunk } from "../../domain.ts";
import type { Connection } from "../connection/connection.ts";
import { fileLine } from "../turns/lines.ts";
import { writeChunks } from "../write/chunks.ts";
import { cutForward, forwardStart, forwardStartOf, lastForwardStart, withoutForward } from "./forward.ts";
import { type BuriedTurn, buryForward } from "./tombstones.ts";

interface Gone extends BuriedTurn {
  turnId: number;
}

type Row = Omit<BuriedTurn, "entryUuids">;

/** Takes the prompts of turns that go out of the turns before them, and keeps them out. */
export function clearForwards(connection: Connection, sessionId: string, gone: readonly Gone[]): void {
  const goneIds = new Set(gone.map(({ turnId }) => turnId));
  const rows = connection.all<{ id: number; agentId: string | null; text: string }>(
    `SELECT id, agent_id AS agentId, full_text AS text FROM turns WHERE session_id = ?1 OR session_id IN
       (SELECT y.session_id FROM json_each(?2) j CROSS JOIN turn_copies y ON y.turn_id = j.value)
     ORDER BY created_at IS NULL, created_at, abs(line_index), id`,
    sessionId,
    JSON.stringify([...goneIds]),
  );
  for (const [at, { id, agentId, text }] of rows.entries()) {
    if (goneIds.has(id)) continue;
    const starts = gone.flatMap((turn) => forwardStartOf(text, turn.fullText) ?? []);
    const next = rows.slice(at + 1).find((row) => row.agentId === agentId);
    const start = starts.length > 0 ? Math.min(...starts) : null;
    // What it says comes next is not how the next one begins: it was cleaned or cut in some other way.
    const fallback = next !== undefined && goneIds.has(next.id) ? forwardStart(text, null) : null;
    const cut = start ?? fallback;
    if (cut !== null) clearForward(connection, id, cut);
    else if (next !== undefined && goneIds.has(next.id)) keepForwardOut(connection, id);
  }
}

/** Takes the forward context out of a turn, and keeps it out; `start` null: what begins at the last place for one. */
export function clearForward(connection: Connection, turnId: number, start: number | null): void {
  const row = rowOf(connection, turnId);
  if (row === null) return;
  const cut = start ?? lastForwardStart(row.fullText);
  keepForwardOut(connection, turnId);
  if (cut === null) return;
  const chunks = connection.all<Chunk>(
    `SELECT chunk_index AS chunkIndex, content, start, "end" FROM chunks WHERE turn_id = ? ORDER BY chunk_index`,
    turnId,
  );
  const text = cutForward(row.fullText, cut);
  connection.run("UPDATE turns SET full_text = ? WHERE id = ?", text, turnId);
  writeChunks(connection, turnId, text, withoutForward(chunks, cut), true);
}

function keepForwardOut(connection: Connection, turnId: number): void {
  const row = rowOf(connection, turnId);
  if (row !== null) buryForward(connection, { ...row, entryUuids: [], lineIndex: fileLine(row.lineIndex) });
}

function rowOf(connection: Connection, turnId: number): Row | null {
  return connection.get<Row>(
    `SELECT session_id AS sessionId, agent_id AS agentId, line_index AS lineIndex, prompt_uuid AS promptUuid,
       full_text AS fullText FROM turns WHERE id = ?`,
    turnId,
  );
}
