import type { WindowType } from "../../../domain.ts";
import type { ChunkDistance } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import type { Condition } from "../filter.ts";
import { cosineDistance, fromBytes } from "./math.ts";

/** Returns the cosine distances of those chunks that have a vector, nearest first; of equal distances, the lower id first. */
export function chunkDistances(
  connection: Connection,
  modelId: number,
  query: Float32Array,
  chunkIds: readonly number[],
): ChunkDistance[] {
  return connection
    .all<{ chunkId: number; embedding: Uint8Array }>(STORED, JSON.stringify(chunkIds), modelId)
    .map(({ chunkId, embedding }) => ({ chunkId, distance: cosineDistance(query, fromBytes(embedding)) }))
    .sort((a, b) => a.distance - b.distance || a.chunkId - b.chunkId);
}

const STORED = `SELECT v.chunk_id AS chunkId, v.embedding
  FROM json_each(?) j CROSS JOIN chunk_vectors v ON v.chunk_id = j.value AND v.model_id = ?`;

/** Returns the other matching sessions by the distance of their access patterns, nearest first. */
export function nearestSessions(
  connection: Connection,
  modelId: number,
  pattern: Float32Array,
  { limit, exceptId, fits }: { limit: number; exceptId: string; fits: Condition },
): { sessionId: string; distance: number }[] {
  return connection
    .all<{ sessionId: string; centroid: Uint8Array }>(
      `SELECT session_id AS sessionId, centroid FROM session_access_patterns
       WHERE window_type = '${"full" satisfies WindowType}' AND model_id = ? AND session_id <> ? AND ${fits.sql("session_id")}`,
      modelId,
      exceptId,
      ...fits.params,
    )
    .map(({ sessionId, centroid }) => ({ sessionId, distance: cosineDistance(pattern, fromBytes(centroid)) }))
    .sort((a, b) => a.distance - b.distance || (a.sessionId < b.sessionId ? -1 : 1))
    .slice(0, limit);
}
