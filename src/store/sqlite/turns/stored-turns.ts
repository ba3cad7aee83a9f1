import type { StoredChunk, StoredTurn } from "../../stored.ts";
import { CHUNK_CHARS, type TurnRow, turnOfRow } from "../../turn-rows.ts";
import type { Connection } from "../connection/connection.ts";
import { AUTHOR, DEVICE, PARTS, PROMPT_ONLY } from "./columns.ts";

/** Returns the turns in the order asked for, with `chars` no more of their texts; ids that do not exist are left out. */
export function storedTurns(
  connection: Connection,
  turnIds: readonly number[],
  chars: number | null = null,
): StoredTurn[] {
  const rows = connection.all<TurnRow>(
    `SELECT t.id AS turnId, t.session_id AS sessionId, s.client, t.agent_id AS agentId, coalesce(t.line_index, -1) AS lineIndex,
         t.provisional, t.role, t.origin, ${chars === null ? "t.full_text" : "substr(t.full_text, 1, ?2)"} AS text, ${PARTS} AS parts, t.tool_summary AS toolSummary,
         t.is_sidechain AS isSidechain, t.created_at AS createdAt, t.ended_at AS endedAt, t.branch, t.cwd,
         t.model, t.client_version AS clientVersion, s.title AS sessionTitle, t.foreign_origin AS "foreign", ${AUTHOR} AS author,
         ${DEVICE} AS device,
         ${PROMPT_ONLY} AS promptOnly
       FROM json_each(?1) j CROSS JOIN turns t ON t.id = j.value JOIN sessions s ON s.session_id = t.session_id`,
    JSON.stringify(turnIds),
    ...(chars === null ? [] : [chars]),
  );
  // Sorting them in SQLite would copy all texts.
  const found = new Map(rows.map((row) => [row.turnId, row]));
  return turnIds.flatMap((id) => {
    const row = found.get(id);
    return row === undefined ? [] : [turnOfRow(row)];
  });
}

/** Returns chunks, turn by turn in their order there; ids that do not exist are left out. */
export function storedChunks(connection: Connection, chunkIds: readonly number[]): StoredChunk[] {
  return connection.all<StoredChunk>(
    `SELECT c.id AS chunkId, c.turn_id AS turnId, c.chunk_index AS chunkIndex, substr(c.content, 1, ${CHUNK_CHARS}) AS content, c.start, c."end"
     FROM json_each(?) j CROSS JOIN chunks c ON c.id = j.value ORDER BY c.turn_id, c.chunk_index`,
    JSON.stringify(chunkIds),
  );
}
