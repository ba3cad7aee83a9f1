import type { StoredChunk, StoredTurn } from "../stored.ts";
import { CHUNK_CHARS, type TurnRow, turnOfRow } from "../turn-rows.ts";
import { AUTHOR, FOREIGN, IDS, json, type ProjectDatabase, SESSION, TURNS_BY_ID } from "./query.ts";

/** Returns the turns in the order asked for, with `chars` no more of their texts; ids that do not exist are left out. */
export async function storedTurns(
  database: ProjectDatabase,
  turnIds: readonly number[],
  chars: number | null = null,
): Promise<StoredTurn[]> {
  const rows = await database.all<TurnRow>(
    `SELECT t.turn_id AS "turnId", t.session_id AS "sessionId", s.client, t.agent_id AS "agentId",
       -1 AS "lineIndex", false AS provisional, t.role, t.origin, ${chars === null ? "t.full_text" : "left(t.full_text, ?::int)"} AS text, t.parts,
       t.tool_summary AS "toolSummary", t.is_sidechain AS "isSidechain", t.created_at AS "createdAt",
       t.ended_at AS "endedAt", t.branch, NULL AS cwd, t.model, t.client_version AS "clientVersion",
       s.title AS "sessionTitle", ${FOREIGN} AS "foreign", ${AUTHOR} AS author
     FROM ${TURNS_BY_ID} ${SESSION} ORDER BY j.key`,
    ...(chars === null ? [] : [chars]),
    json(turnIds),
  );
  return rows.map(turnOfRow);
}

/** Returns chunks, turn by turn in their order there; ids that do not exist are left out. */
export function storedChunks(database: ProjectDatabase, chunkIds: readonly number[]): Promise<StoredChunk[]> {
  return database.all<StoredChunk>(
    `SELECT c.chunk_id AS "chunkId", c.turn_id AS "turnId", c.chunk_index AS "chunkIndex", left(c.content, ${CHUNK_CHARS}) AS content, c.start, c."end"
     FROM ${IDS} JOIN mementor.chunks c ON c.project_id = :project AND c.chunk_id = j.value
     ORDER BY c.turn_id, c.chunk_index`,
    json(chunkIds),
  );
}
