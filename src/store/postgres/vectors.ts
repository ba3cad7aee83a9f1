import type { Filter } from "../filter.ts";
import type { ActiveModel, ChunkHit } from "../stored.ts";
import type { Database } from "./client/database.ts";
import { ACTIVE_MODEL, type Condition, IDS, json, type ProjectDatabase, turnCondition } from "./query.ts";

/**
 * Minimum chunks of a project for using an index. Exact search took 7, 13, 24 and 263 ms for 11,250, 22,500, 45,000 and 180,000
 * chunks; the index took 5, 5, 6 and 18 ms (two cores, `bun run bench team --chunks 1000000 --projects 200`). From this size on,
 * the index is at least twice as fast.
 */
export const INDEXED_FROM = 20_000;

/**
 * Minimum nodes that an index search keeps. Among 160,000 synthetic vectors, 400 nodes find 99.0 % of the true first ten and 97.8
 * % of the first 200; 200 nodes find 97.0 and 94.8 %, and 1,000 nodes 99.3 and 98.5 %. All take 22 to 28 ms.
 */
const MIN_CANDIDATES = 400;
/** Maximum nodes that pgvector supports. */
const MAX_CANDIDATES = 1_000;
/** Maximum rows that a filter may discard before the index search stops. */
const MAX_SCANNED = 500_000;

/** A project and a model that share one vector index. */
interface IndexedVectors {
  project: number;
  model: ActiveModel;
}

/** Prefix of the index names. The ids of project and model follow. */
const INDEX_PREFIX = "chunk_vectors_nearest_";

/** Returns the name of a project's vector index. It is unique in the schema, so it contains the project. */
function indexName({ project, model }: IndexedVectors): string {
  return `${INDEX_PREFIX}${Math.trunc(project)}_${Math.trunc(model.id)}`;
}

/** Returns the statement that builds the index without blocking others. It cannot run in a transaction. */
function createIndex(indexed: IndexedVectors): string {
  return `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${indexName(indexed)} ON mementor.chunk_vectors
    USING hnsw ((${indexedVector("embedding", indexed.model)}) halfvec_cosine_ops) WHERE ${indexedRows(indexed)}`;
}

/** Returns the statement that removes the index, or the rest of an interrupted build. */
function dropIndex(indexed: IndexedVectors): string {
  return `DROP INDEX CONCURRENTLY IF EXISTS mementor.${indexName(indexed)}`;
}

/** Returns the indexed expression, which must have a fixed number of dimensions. */
function indexedVector(column: string, { dimensions }: ActiveModel): string {
  return `${column}::halfvec(${Math.trunc(dimensions)})`;
}

/**
 * Returns the condition on the rows of the index. It contains literal numbers, not parameters, so that the planner recognises it
 * in a query.
 */
function indexedRows({ project, model }: IndexedVectors, alias = ""): string {
  return `${alias}project_id = ${Math.trunc(project)} AND ${alias}model_id = ${Math.trunc(model.id)}`;
}

/** Returns SQL that tells whether a model's vectors have a complete index, for two SQL expressions of ids. */
export function isIndexed(project: string, model: string): string {
  return `EXISTS (SELECT 1 FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
    WHERE c.relname = '${INDEX_PREFIX}' || ${project} || '_' || ${model}
      AND c.relnamespace = 'mementor'::regnamespace AND i.indisvalid)`;
}

/** The active model of a project. */
export interface SearchedModel extends ActiveModel {
  /** True when its vectors have a complete index. */
  isIndexed: boolean;
}

/** Returns the active model; null when the project has none. */
export function searchedModel(database: ProjectDatabase): Promise<SearchedModel | null> {
  return database.get<SearchedModel>(
    `SELECT m.model_id AS id, m.name, m.dimensions, ${isIndexed("m.project_id", "m.model_id")} AS "isIndexed"
     FROM mementor.models m WHERE m.project_id = :project AND m.model_id = ${ACTIVE_MODEL}`,
  );
}

/** Lets index searches continue for the rest of the transaction when a filter discards their results. */
async function useIndex(database: ProjectDatabase, limit: number): Promise<void> {
  await database.get(
    `SELECT set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', ?, true),
       set_config('hnsw.max_scan_tuples', ?, true)`,
    String(Math.min(MAX_CANDIDATES, Math.max(MIN_CANDIDATES, limit))),
    String(MAX_SCANNED),
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

interface Row {
  project: number;
  name: string;
  id: number;
  model: string;
  dimensions: number;
  state: "missing" | "invalid";
}

/** A project without its vector index. */
interface MissingIndex extends IndexedVectors {
  /** Name of the project. */
  name: string;
}

/**
 * Tells whether the role may build indexes. Only an administrator's role may: no function can do it for a member, because `CREATE
 * INDEX CONCURRENTLY` must run outside a transaction, and without `CONCURRENTLY` all members' pushes would wait for minutes.
 */
export async function mayBuildIndexes(server: Database): Promise<boolean> {
  const [row] = await server.transaction((sql) =>
    sql.query<{ may: boolean }>("SELECT pg_has_role('mementor_owner', 'MEMBER') AS may"),
  );
  return row?.may ?? false;
}

/**
 * Builds the index of every project that is large enough, one after the other, without blocking others. The role must be a member
 * of `mementor_owner`. The next call restarts an interrupted build, but leaves a running one alone.
 *
 * @param from minimum chunks of a project that needs an index.
 * @returns the projects that got an index.
 */
export async function buildVectorIndexes(
  server: Database,
  { from = INDEXED_FROM, onStart }: { from?: number; onStart?: (index: MissingIndex) => void } = {},
): Promise<MissingIndex[]> {
  const rows = await server.transaction(async (sql) => {
    await sql.run("SET LOCAL ROLE mementor_owner");
    return sql.query<Row>(MISSING, [from]);
  });
  const built: MissingIndex[] = [];
  for (const { project, name, state, ...row } of rows) {
    const missing = { project, name, model: { id: row.id, name: row.model, dimensions: row.dimensions } };
    onStart?.(missing);
    if (state === "invalid") await server.statement(dropIndex(missing));
    await server.statement(createIndex(missing));
    built.push(missing);
  }
  return built;
}

/** SQL of the active models of large projects without a complete index. */
const MISSING = `SELECT p.project_id AS project, p.name, m.model_id AS id, m.name AS model, m.dimensions,
    CASE WHEN i.indexrelid IS NULL THEN 'missing' ELSE 'invalid' END AS state
  FROM mementor.projects p
  JOIN mementor.models m ON m.project_id = p.project_id AND m.model_id = p.active_model
  JOIN LATERAL (SELECT sum(u.chunks) AS chunks FROM mementor.usage u WHERE u.project_id = p.project_id) u ON true
  LEFT JOIN pg_catalog.pg_class c ON c.relnamespace = 'mementor'::regnamespace
    AND c.relname = '${INDEX_PREFIX}' || p.project_id || '_' || m.model_id
  LEFT JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid
  WHERE u.chunks >= $1 AND (i.indexrelid IS NULL OR NOT i.indisvalid AND NOT EXISTS (
    SELECT 1 FROM pg_catalog.pg_locks l WHERE l.relation = i.indrelid AND l.mode = 'ShareUpdateExclusiveLock'))
  ORDER BY p.project_id`;

interface NearestRequest {
  model: SearchedModel;
  query: Float32Array;
  limit: number;
  filter: Filter;
}

const DISTANCE = "v.embedding <=> ?::text::halfvec";

/**
 * Returns the chunks nearest to the query. Uses the index of a large project if the filter leaves enough rows; otherwise computes
 * all distances.
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

/** Computes the distance of every vector. */
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

/** Tells whether there is an index, and the filter leaves so many rows that computing all distances takes longer. */
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
