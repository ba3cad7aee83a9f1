import type { Filter } from "../filter.ts";
import type { ActiveModel, ChunkHit } from "../stored.ts";
import { ACTIVE_MODEL, IDS, json, type ProjectDatabase, turnCondition } from "./query.ts";

/** Returns the active model; null when the project has none. */
export function searchedModel(database: ProjectDatabase): Promise<ActiveModel | null> {
  return database.get<ActiveModel>(
    `SELECT m.model_id AS id, m.name, m.dimensions
     FROM mementor.models m WHERE m.project_id = :project AND m.model_id = ${ACTIVE_MODEL}`,
  );
}

/** Parses a vector in PostgreSQL's output format: `[0.5,-1]`. */
export function parseVector(text: string): Float32Array {
  return Float32Array.from(JSON.parse(text));
}

/** Formats a vector in PostgreSQL's syntax with all digits. */
export function vectorLiteral(vector: Float32Array): string {
  return `[${vector.join(",")}]`;
}

interface NearestRequest {
  model: ActiveModel;
  query: Float32Array;
  limit: number;
  filter: Filter;
}

const DISTANCE = "v.embedding <=> ?::text::halfvec";

/** Returns the chunks nearest to the query. Computes the distance of every vector. */
export async function nearestChunks(
  database: ProjectDatabase,
  { model, query, limit, filter }: NearestRequest,
): Promise<ChunkHit[]> {
  const turns = turnCondition(filter);
  const rows = await database.all<ChunkHit>(
    `SELECT v.chunk_id AS "chunkId", v.turn_id AS "turnId", ${DISTANCE} AS distance FROM mementor.chunk_vectors v
     WHERE v.project_id = :project AND v.model_id = ? AND ${turns.sql("v.turn_id")} ORDER BY 3, 1 LIMIT ?`,
    vectorLiteral(query),
    model.id,
    ...turns.params,
    limit,
  );
  return rows.map(withDirection);
}

/** Returns the nearest chunk of each of these turns, nearest first. */
export async function turnDistances(
  database: ProjectDatabase,
  model: ActiveModel,
  query: Float32Array,
  turnIds: readonly number[],
): Promise<ChunkHit[]> {
  const rows = await database.all<ChunkHit>(
    `SELECT v.chunk_id AS "chunkId", v.turn_id AS "turnId", ${DISTANCE} AS distance FROM ${IDS}
     JOIN mementor.chunk_vectors v ON v.project_id = :project AND v.turn_id = j.value AND v.model_id = ? ORDER BY 3, 1`,
    vectorLiteral(query),
    json(turnIds),
    model.id,
  );
  const nearest = new Map<number, ChunkHit>();
  for (const hit of rows.map(withDirection)) if (!nearest.has(hit.turnId)) nearest.set(hit.turnId, hit);
  return [...nearest.values()];
}

/** Returns the distances of a fixed sample of chunks, evenly spread over the project. */
export async function sampleDistances(
  database: ProjectDatabase,
  model: ActiveModel,
  query: Float32Array,
  sample: number,
): Promise<number[]> {
  const rows = await database.all<{ distance: number }>(
    `WITH range AS (SELECT min(v.chunk_id) AS low, max(v.chunk_id) AS high FROM mementor.chunk_vectors v
         WHERE v.project_id = :project AND v.model_id = ?),
       picked AS (SELECT DISTINCT (SELECT v.chunk_id FROM mementor.chunk_vectors v WHERE v.project_id = :project
           AND v.model_id = ? AND v.chunk_id >= range.low + step.i * (range.high - range.low + 1) / ?
           ORDER BY v.chunk_id LIMIT 1) AS id
         FROM range, generate_series(0, ? - 1) AS step (i) WHERE range.low IS NOT NULL)
     SELECT ${DISTANCE} AS distance FROM picked
     JOIN mementor.chunk_vectors v ON v.project_id = :project AND v.model_id = ? AND v.chunk_id = picked.id
     ORDER BY 1, v.chunk_id`,
    model.id,
    model.id,
    sample,
    sample,
    vectorLiteral(query),
    model.id,
  );
  return rows.map((row) => withDirection(row).distance);
}

/** Replaces the undefined distance of a zero vector by 1. */
function withDirection<Row extends { distance: number }>(row: Row): Row {
  return Number.isNaN(row.distance) ? { ...row, distance: 1 } : row;
}
