import type { PendingChunk } from "../../types.ts";
import type { ProjectDatabase } from "../query.ts";

/** The caller's chunks `c` without a vector of a model: others make the vectors of their own. */
const PENDING = `mementor.chunks c WHERE c.project_id = :project AND c.author = current_user AND NOT EXISTS
  (SELECT 1 FROM mementor.chunk_vectors v WHERE v.project_id = :project AND v.model_id = ? AND v.chunk_id = c.chunk_id)`;

export async function pendingCount(database: ProjectDatabase, modelId: number): Promise<number> {
  const row = await database.get<{ n: number }>(`SELECT count(*) AS n FROM ${PENDING}`, modelId);
  return row?.n ?? 0;
}

/** Returns the caller's chunks without a vector, those of the newest turns first. */
export function pendingChunks(
  database: ProjectDatabase,
  modelId: number,
  limit: number,
): Promise<PendingChunk[]> {
  return database.all<PendingChunk>(
    `SELECT p.chunk_id AS "chunkId", p.content FROM (SELECT c.chunk_id, c.turn_id, c.content FROM ${PENDING}) p
     JOIN mementor.turns t ON t.project_id = :project AND t.turn_id = p.turn_id
     ORDER BY t.created_at DESC NULLS LAST, p.chunk_id DESC LIMIT ?`,
    modelId,
    limit,
  );
}

/** Stores vectors of the caller's chunks, and of the caller's other chunks with the same text. Skips chunks that are gone. */
export async function saveVectors(database: ProjectDatabase, modelId: number, rows: string): Promise<void> {
  await database.run(
    `INSERT INTO mementor.chunk_vectors (project_id, model_id, chunk_id, turn_id, embedding)
     SELECT DISTINCT ON (o.chunk_id) :project, m.model_id, o.chunk_id, o.turn_id, r.vector::halfvec
     FROM json_to_recordset(?::text::json) AS r (id bigint, vector text)
     JOIN mementor.models m ON m.project_id = :project AND m.model_id = ?
     JOIN mementor.chunks c ON c.project_id = :project AND c.chunk_id = r.id
     JOIN mementor.chunks o ON o.project_id = :project AND o.author = current_user AND o.content_hash = c.content_hash
       AND (o.chunk_id = c.chunk_id OR NOT EXISTS (SELECT 1 FROM mementor.chunk_vectors v
         WHERE v.project_id = :project AND v.model_id = m.model_id AND v.chunk_id = o.chunk_id))
     ORDER BY o.chunk_id, o.chunk_id = c.chunk_id DESC
     ON CONFLICT (project_id, model_id, chunk_id) DO UPDATE SET embedding = excluded.embedding`,
    rows,
    modelId,
  );
}
