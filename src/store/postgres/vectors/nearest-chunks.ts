import type { ActiveModel } from "../../active-model.ts";
import type { Filter } from "../../filter.ts";
import type { ChunkHit } from "../../stored.ts";
import { type Condition, IDS, json, type ProjectDatabase, turnCondition } from "../query.ts";
import {
  INDEXED_FROM,
  indexedRows,
  indexedVector,
  type SearchedModel,
  useIndex,
  vectorLiteral,
} from "./vector-index.ts";

export interface NearestRequest {
  model: SearchedModel;
  query: Float32Array;
  limit: number;
  filter: Filter;
}

const DISTANCE = "v.embedding <=> ?::text::halfvec";

/**
 * Returns the chunks nearest to the query: of a large project by its index, if it has one and the filter leaves enough to
 * find; else by measuring all.
 */
export async function nearestChunks(
  database: ProjectDatabase,
  { model, query, limit, filter }: NearestRequest,
): Promise<ChunkHit[]> {
  const request = { model, query, limit, turns: turnCondition(filter) };
  const indexed = (await mayUseIndex(database, request)) ? await byIndex(database, request) : [];
  const rows = indexed.length < limit ? await byMeasuring(database, request) : indexed;
  return rows.map(withDirection);
}

interface Scan extends Omit<NearestRequest, "filter"> {
  turns: Condition;
}

const HIT = `v.chunk_id AS "chunkId", v.turn_id AS "turnId"`;

/** Measures every vector. */
function byMeasuring(database: ProjectDatabase, { model, query, limit, turns }: Scan): Promise<ChunkHit[]> {
  return database.all<ChunkHit>(
    `SELECT ${HIT}, ${DISTANCE} AS distance FROM mementor.chunk_vectors v
     WHERE v.project_id = :project AND v.model_id = ? AND ${turns.sql("v.turn_id")} ORDER BY 3, 1 LIMIT ?`,
    vectorLiteral(query),
    model.id,
    ...turns.params,
    limit,
  );
}

/** True where there is an index, and the filter leaves so much that measuring it would take longer. */
async function mayUseIndex(database: ProjectDatabase, { model, turns }: Scan): Promise<boolean> {
  if (!model.isIndexed) return false;
  if (turns.empty) return true;
  const row = await database.get<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM mementor.chunk_vectors v
     WHERE v.project_id = :project AND v.model_id = ? AND ${turns.sql("v.turn_id")} LIMIT ?) fitting`,
    model.id,
    ...turns.params,
    INDEXED_FROM,
  );
  return row?.n === INDEXED_FROM;
}

async function byIndex(database: ProjectDatabase, { model, query, limit, turns }: Scan): Promise<ChunkHit[]> {
  const { project } = database;
  // Both are sent at once, in this order.
  const settings = useIndex(database, limit);
  const hits = database.all<ChunkHit>(
    `SELECT * FROM (SELECT ${HIT}, ${indexedVector("v.embedding", model)} <=> ${indexedVector("?::text", model)} AS distance
     FROM mementor.chunk_vectors v WHERE ${indexedRows({ project, model }, "v.")} AND ${turns.sql("v.turn_id")}
     ORDER BY 3 LIMIT ?) nearest ORDER BY 3, 1`,
    vectorLiteral(query),
    ...turns.params,
    limit,
  );
  return (await Promise.all([hits, settings]))[0];
}

/** The nearest chunk of each of these turns, nearest first. */
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

/** Distances to chunks that are spread evenly over the project, the same ones every time. */
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

/** A vector without a direction is at distance 1 of everything. */
function withDirection<Row extends { distance: number }>(row: Row): Row {
  return Number.isNaN(row.distance) ? { ...row, distance: 1 } : row;
}
