import { checkDimensions } from "../../active-model.ts";
import type { LocalSearchStore } from "../../store.ts";
import type { ChunkHit } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import { activeModel } from "../vectors/models.ts";
import { nearestChunks } from "../vectors/nearest-chunks.ts";
import type { VectorSearch } from "../vectors/vector-search.ts";

/** Number of chunks that are measured to find the nearest one. */
const LIKELY_NEAREST = 32;

/** What a search asks of vectors. Without an active model it finds nothing. */
export function byVectors(connection: Connection, vectors: () => Promise<VectorSearch>) {
  const modelFor = (query: Float32Array) => {
    const model = activeModel(connection);
    if (model !== null) checkDimensions(model, query);
    return model;
  };
  return {
    async nearestChunks(query, limit, filter = {}, isLate = () => false) {
      const model = modelFor(query);
      if (model === null) return [];
      const search = await vectors();
      const request = { modelId: model.id, query, limit, filter, isLate };
      return connection.snapshot(() => nearestChunks(connection, search, request));
    },
    async nearestDistance(query, filter = {}) {
      const model = modelFor(query);
      if (model === null) return null;
      const search = await vectors();
      const request = { modelId: model.id, query, limit: 1, filter, isLate: () => false };
      const [nearest] = connection.snapshot(() =>
        nearestChunks(connection, search, { ...request, candidates: LIKELY_NEAREST }),
      );
      return nearest?.distance ?? null;
    },
    async sampleDistances(query, sample) {
      const model = modelFor(query);
      if (model === null) return [];
      const ids = connection.column<number>(SAMPLE, model.id, sample);
      return (await vectors()).distances(model.id, query, ids).map((row) => row.distance);
    },
    async turnDistances(query, turnIds) {
      const model = modelFor(query);
      if (model === null || turnIds.length === 0) return [];
      const chunks = connection.all<{ id: number; turnId: number }>(CHUNKS_OF, JSON.stringify(turnIds));
      const turnOf = new Map(chunks.map(({ id, turnId }) => [id, turnId]));
      const nearest = new Map<number, ChunkHit>();
      for (const hit of (await vectors()).distances(model.id, query, [...turnOf.keys()])) {
        const turnId = turnOf.get(hit.chunkId);
        if (turnId !== undefined && !nearest.has(turnId)) nearest.set(turnId, { ...hit, turnId });
      }
      return [...nearest.values()];
    },
    async chunkDistances(query, chunkIds) {
      const model = modelFor(query);
      if (model === null || chunkIds.length === 0) return [];
      return (await vectors()).distances(model.id, query, chunkIds);
    },
  } satisfies Partial<LocalSearchStore>;
}

// Evenly spread over all chunks, the same ones every time. Asked for at once, the ends would be looked for in every row.
const SAMPLE = `WITH RECURSIVE
  step(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM step WHERE i + 1 < ?2),
  range AS (SELECT (SELECT min(chunk_id) FROM chunk_bits WHERE model_id = ?1) AS low,
    (SELECT max(chunk_id) FROM chunk_bits WHERE model_id = ?1) AS high)
  SELECT DISTINCT (SELECT b.chunk_id FROM chunk_bits b WHERE b.model_id = ?1
    AND b.chunk_id >= range.low + step.i * (range.high - range.low + 1) / ?2 ORDER BY b.chunk_id LIMIT 1) AS id
  FROM step, range WHERE range.low IS NOT NULL`;

const CHUNKS_OF =
  "SELECT c.id, c.turn_id AS turnId FROM json_each(?) j CROSS JOIN chunks c ON c.turn_id = j.value";
