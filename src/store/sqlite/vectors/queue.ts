import type { IngestStore } from "../../store.ts";
import { checkDimensions, type PendingChunk } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import { activeModel, requireModel } from "./models.ts";
import { packBits, saveVector } from "./packed-bits.ts";
import { pendingResources, refreshAccessPatterns, saveResources } from "./store.ts";

/**
 * Returns pending chunks in order of use: first whole newest turns, then the first-ranked chunks of every other turn, then the
 * rest. So while most vectors are missing, every turn has some, and the most requested turns have all.
 */
function pendingInOrder(connection: Connection, modelId: number, limit: number): PendingChunk[] {
  const newest = connection.get<{ since: string }>(NEWEST)?.since ?? "";
  const first = connection.all<PendingChunk>(
    withContent(`model_id = ? AND vector_rank IN (0, 1) AND created_at >= ?
      ORDER BY created_at DESC, vector_rank, chunk_id DESC LIMIT ?`),
    modelId,
    newest,
    limit,
  );
  const others = connection.all<PendingChunk>(
    withContent(
      "model_id = ? AND created_at < ? ORDER BY vector_rank, created_at DESC, chunk_id DESC LIMIT ?",
    ),
    modelId,
    newest,
    limit - first.length,
  );
  return [...first, ...others];
}

/** SQL of the start of the newest tenth of the turns. */
const NEWEST = `SELECT created_at AS since FROM turns WHERE created_at IS NOT NULL
  ORDER BY created_at DESC LIMIT 1 OFFSET (SELECT count(*) / 10 FROM turns)`;

const READY = `SELECT vector_rank AS rank, count(*) AS total,
    (SELECT count(*) FROM pending_vectors p WHERE p.model_id = ? AND p.vector_rank = c.vector_rank) AS pending
  FROM chunks c WHERE vector_rank IS NOT NULL GROUP BY vector_rank`;

/** Returns SQL that reads the text of only these pending chunks. */
function withContent(pending: string): string {
  return `SELECT p.chunk_id AS chunkId, p.vector_rank AS rank, c.content
    FROM (SELECT chunk_id, vector_rank FROM pending_vectors WHERE ${pending}) p CROSS JOIN chunks c ON c.id = p.chunk_id`;
}

/** Operations for pending and new vectors. */
export function vectorQueue(connection: Connection) {
  return {
    async pendingCount(modelId) {
      const sql = "SELECT count(*) AS n FROM pending_vectors WHERE model_id = ?";
      const model = modelId === undefined ? activeModel(connection) : requireModel(connection, modelId);
      return connection.get<{ n: number }>(sql, model?.id ?? 0)?.n ?? 0;
    },
    async vectorsReady(modelId) {
      const model = modelId === undefined ? activeModel(connection) : requireModel(connection, modelId);
      const rows = connection.all<{ rank: number; pending: number; total: number }>(READY, model?.id ?? 0);
      const of = (rank: number) => {
        const { pending = 0, total = 0 } = rows.find((row) => row.rank === rank) ?? {};
        return { pending, total };
      };
      return { first: of(0), rest: of(1) };
    },
    async hasPendingVectors() {
      const row = connection.get<{ pending: number }>(
        `SELECT EXISTS (SELECT 1 FROM pending_vectors WHERE model_id = ?1)
           OR EXISTS (SELECT 1 FROM pending_resources WHERE model_id = ?1)
           OR EXISTS (SELECT 1 FROM stale_access_patterns) AS pending`,
        activeModel(connection)?.id ?? 0,
      );
      return row?.pending === 1;
    },
    async pendingChunks(limit, modelId) {
      const model = modelId === undefined ? activeModel(connection) : requireModel(connection, modelId);
      return model === null ? [] : pendingInOrder(connection, model.id, limit);
    },
    async latestPending(limit) {
      const model = activeModel(connection)?.id ?? 0;
      return connection.all<PendingChunk>(
        withContent("+model_id = ? ORDER BY chunk_id DESC LIMIT ?"),
        model,
        limit,
      );
    },
    async saveVectors(vectors, modelId) {
      if (vectors.length === 0) return;
      connection.transaction(() => {
        const model = requireModel(connection, modelId);
        for (const { chunkId, vector } of vectors) {
          checkDimensions(model, vector);
          saveVector(connection, model.id, chunkId, vector);
        }
        packBits(connection, model.id);
      });
    },
    pendingResources: async (limit, modelId) => pendingResources(connection, limit, modelId),
    saveResources: async (resources, modelId) => saveResources(connection, resources, modelId),
    refreshAccessPatterns: async () => refreshAccessPatterns(connection),
  } satisfies Partial<IngestStore>;
}
