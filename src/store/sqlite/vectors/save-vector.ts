import type { Connection } from "../connection/connection.ts";
import { signBits, toBytes } from "./math.ts";

/** Stores the vector of a chunk and of others with the same text that wait for one. Skips a chunk that no longer exists. */
export function saveVector(
  connection: Connection,
  modelId: number,
  chunkId: number,
  vector: Float32Array,
): void {
  const targets = connection.all<{ id: number; turnId: number }>(
    `SELECT o.id, o.turn_id AS turnId FROM chunks c CROSS JOIN chunks o ON o.content_hash = c.content_hash
     WHERE c.id = ?1 AND (o.id = ?1 OR o.vector_rank IS NOT NULL AND NOT EXISTS
       (SELECT 1 FROM chunk_vectors v WHERE v.chunk_id = o.id AND v.model_id = ?2))`,
    chunkId,
    modelId,
  );
  for (const { id, turnId } of targets) insertVector(connection, { modelId, chunkId: id, turnId }, vector);
}

/** Stores the vector of one chunk, whatever has the same text. */
export function insertVector(
  connection: Connection,
  { modelId, chunkId, turnId }: { modelId: number; chunkId: number; turnId: number },
  vector: Float32Array,
): void {
  connection.run(
    `INSERT INTO chunk_vectors (chunk_id, model_id, embedding) VALUES (?, ?, ?)
     ON CONFLICT (chunk_id, model_id) DO UPDATE SET embedding = excluded.embedding`,
    chunkId,
    modelId,
    toBytes(vector),
  );
  connection.run(
    `INSERT INTO chunk_bits (model_id, chunk_id, turn_id, bits) VALUES ($modelId, $chunkId, $turnId, $bits)
     ON CONFLICT (model_id, chunk_id) DO UPDATE SET bits = excluded.bits`,
    { modelId, chunkId, turnId, bits: signBits(vector) },
  );
}
