import { NOTE } from "../../../constants.ts";
import type { Filter } from "../../filter.ts";
import { hintedPath } from "../../filter-sql.ts";
import { memoized } from "../../rare-words.ts";
import { isFile, isPath } from "../../resources.ts";
import type { LocalSearchStore, SearchStore } from "../../store.ts";
import type { ChunkHit, MemoryTotals, TurnHit } from "../../stored.ts";
import { checkDimensions } from "../../stored.ts";
import { browseStore } from "../browse/store.ts";
import type { Connection } from "../connection/connection.ts";
import {
  type Condition,
  commitCondition,
  pathCondition,
  sessionCondition,
  turnCondition,
} from "../filter.ts";
import { storedChunks, storedTurns } from "../turns/columns.ts";
import { fromBytes } from "../vectors/math.ts";
import { activeModel } from "../vectors/models.ts";
import { nearestChunks } from "../vectors/packed-bits.ts";
import type { VectorSearch } from "../vectors/vector-search.ts";
import { matchAny, rarestTerms, searchChunks, searchTurns, turnsByTerm } from "./keywords.ts";

export function searchStore(connection: Connection, vectors: () => Promise<VectorSearch>): LocalSearchStore {
  const store: LocalSearchStore = {
    ...byVectors(connection, vectors),
    ...byWords(connection),
    ...byReferences(connection),
    ...byTouched(connection, vectors),
    snapshot: (work) => work(store, browseStore(connection)),
    turns: async (turnIds, chars) => storedTurns(connection, turnIds, chars),
    chunks: async (chunkIds) => storedChunks(connection, chunkIds),
    modelId: async () => activeModel(connection)?.name ?? null,
    async totals(filter) {
      const turns = turnCondition(filter);
      return turns.empty ? allTotals(connection) : totalsOf(connection, turns);
    },
  };
  return store;
}

function byWords(connection: Connection) {
  const rareOf = memoized((terms: readonly string[]) => rarestTerms(connection, terms));
  return {
    async keywordChunks(terms, limit, filter) {
      if (terms.length === 0) return [];
      return searchChunks(connection, matchAny(rareOf(terms)), limit, turnCondition(filter));
    },
    async keywordTurns(terms, limit, filter) {
      if (terms.length === 0) return [];
      return searchTurns(connection, matchAny(rareOf(terms)), limit, turnCondition(filter));
    },
    async termTurns(terms, maxTurns, filter) {
      const held = turnsByTerm(connection, terms, maxTurns + 1, turnCondition(filter));
      const found = terms.map((term, at) => [term, held[at] ?? []] as const);
      return new Map(found.filter(([, ids]) => ids.length <= maxTurns));
    },
  } satisfies Partial<SearchStore>;
}

const NOTHING: MemoryTotals = { sessions: 0, turns: 0, notes: 0, chunks: 0, pendingChunks: 0 };

function allTotals(connection: Connection): MemoryTotals {
  const row = connection.get<MemoryTotals>(
    `WITH noted AS MATERIALIZED (SELECT count(*) AS n FROM sessions s CROSS JOIN turns t ON t.session_id = s.session_id
       WHERE s.client = '${NOTE.client}')
     SELECT (SELECT count(*) FROM sessions s WHERE s.client <> '${NOTE.client}'
         AND EXISTS (SELECT 1 FROM turns t WHERE t.session_id = s.session_id)) AS sessions,
       (SELECT count(*) FROM turns) - (SELECT n FROM noted) AS turns, (SELECT n FROM noted) AS notes,
       (SELECT count(*) FROM chunks) AS chunks,
       (SELECT count(*) FROM pending_vectors WHERE model_id = ?) AS pendingChunks`,
    activeModel(connection)?.id ?? 0,
  );
  return row ?? NOTHING;
}

function totalsOf(connection: Connection, turns: Condition): MemoryTotals {
  const row = connection.get<MemoryTotals>(
    `WITH fitting AS MATERIALIZED (SELECT x.id, x.session_id, s.client = '${NOTE.client}' AS noted
         FROM turns x JOIN sessions s ON s.session_id = x.session_id WHERE ${turns.sql("x.id")})
     SELECT (SELECT count(DISTINCT session_id) FROM fitting WHERE NOT noted) AS sessions,
       (SELECT count(*) FROM fitting WHERE NOT noted) AS turns, (SELECT count(*) FROM fitting WHERE noted) AS notes,
       (SELECT count(*) FROM fitting f CROSS JOIN chunks c ON c.turn_id = f.id) AS chunks,
       (SELECT count(*) FROM pending_vectors WHERE model_id = ?) AS pendingChunks`,
    ...turns.params,
    activeModel(connection)?.id ?? 0,
  );
  return row ?? NOTHING;
}

/** Queries for the resources of sessions: files and web addresses, and their vectors. */
function byTouched(connection: Connection, vectors: () => Promise<VectorSearch>) {
  const modelId = () => activeModel(connection)?.id ?? 0;
  return {
    async accessPattern(sessionId, window) {
      const row = connection.get<{ centroid: Uint8Array }>(
        "SELECT centroid FROM session_access_patterns WHERE session_id = ? AND window_type = ? AND model_id = ?",
        sessionId,
        window,
        modelId(),
      );
      return row === null ? null : fromBytes(row.centroid);
    },
    async nearestSessions(pattern, limit, exceptSessionId, filter = {}) {
      const wanted = { exceptId: exceptSessionId, fits: sessionCondition(filter) };
      return (await vectors()).sessions(modelId(), pattern, limit, wanted);
    },
    async resourceVector(resource) {
      const row = connection.get<{ embedding: Uint8Array }>(
        "SELECT embedding FROM resource_embeddings WHERE resource = ? AND model_id = ?",
        resource,
        modelId(),
      );
      return row === null ? null : fromBytes(row.embedding);
    },
    async recentResources(sessionId, limits) {
      const files = new Set<string>();
      const urls = new Set<string>();
      const rows = connection.all<{ resource: string; url: number }>(
        RECENT_RESOURCES,
        sessionId,
        JSON.stringify([...(limits.except ?? [])]),
      );
      for (const { resource, url } of rows) {
        const [kept, limit] = url ? [urls, limits.urls] : [files, limits.files];
        if (kept.size < limit) kept.add(resource);
      }
      return { files: [...files], urls: [...urls] };
    },
  } satisfies Partial<LocalSearchStore>;
}

const RECENT_RESOURCES = `SELECT m.file_path AS resource, NOT ${isPath("m.file_path")} AS url
  FROM turns t CROSS JOIN file_mentions m ON m.turn_id = t.id WHERE t.session_id = ?
    AND (NOT ${isPath("m.file_path")} OR ${isFile("m.file_path")}) AND t.foreign_origin IS NULL AND t.id NOT IN (SELECT value FROM json_each(?))
  ORDER BY t.created_at IS NULL, t.created_at DESC, t.line_index DESC, m.rowid DESC`;

/** Number of chunks to measure exactly to find the nearest one. */
const LIKELY_NEAREST = 32;

/** Queries that use vectors. Without an active model they find nothing. */
function byVectors(connection: Connection, vectors: () => Promise<VectorSearch>) {
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

// A fixed sample, evenly spread over all chunks. Reading it in one query would look for both ends in every row.
const SAMPLE = `WITH RECURSIVE
  step(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM step WHERE i + 1 < ?2),
  range AS (SELECT (SELECT min(chunk_id) FROM chunk_bits WHERE model_id = ?1) AS low,
    (SELECT max(chunk_id) FROM chunk_bits WHERE model_id = ?1) AS high)
  SELECT DISTINCT (SELECT b.chunk_id FROM chunk_bits b WHERE b.model_id = ?1
    AND b.chunk_id >= range.low + step.i * (range.high - range.low + 1) / ?2 ORDER BY b.chunk_id LIMIT 1) AS id
  FROM step, range WHERE range.low IS NOT NULL`;

const CHUNKS_OF =
  "SELECT c.id, c.turn_id AS turnId FROM json_each(?) j CROSS JOIN chunks c ON c.turn_id = j.value";

/** Queries for turns by files, commits and pull requests. */
function byReferences(connection: Connection) {
  const turnIds = (sql: string, params: readonly (string | number)[]) =>
    connection.all<{ id: number }>(sql, ...params);
  return {
    async turnsByFile(hints, limit, filter) {
      const found = matchesPerTurn(
        hints.map((hint) => {
          const { sql, params } = pathCondition(hintedPath(hint));
          return turnIds(`SELECT DISTINCT m.turn_id AS id FROM file_mentions m WHERE ${sql}`, params);
        }),
      );
      return bestTurns(connection, "file", found, limit, filter);
    },
    async turnsByCommit(hashes, limit, filter) {
      const found = matchesPerTurn(
        hashes.map((hash) => {
          const { sql, params } = commitCondition(hash);
          return turnIds(`SELECT DISTINCT k.turn_id AS id FROM commits k WHERE ${sql}`, params);
        }),
      );
      return bestTurns(connection, "commit", found, limit, filter);
    },
    async turnsByPr(numbers, limit, filter) {
      const turns = turnCondition(filter);
      return connection
        .all<{ turnId: number; matches: number }>(
          `SELECT t.id AS turnId, count(DISTINCT p.pr_number) AS matches FROM json_each(?) j
           CROSS JOIN pr_links p ON p.pr_number = j.value CROSS JOIN turns t ON t.session_id = p.session_id
           WHERE ${turns.sql("t.id")} GROUP BY t.id
           ORDER BY matches DESC, min(abs(julianday(t.created_at) - julianday(p.timestamp))) IS NULL,
             min(abs(julianday(t.created_at) - julianday(p.timestamp))), t.id DESC LIMIT ?`,
          JSON.stringify(numbers),
          ...turns.params,
          limit,
        )
        .map((row): TurnHit => ({ ...row, source: "pr" }));
    },
    async turnsByTitle(texts, limit, filter) {
      const turns = turnCondition(filter);
      const has = texts.map(() => "instr(lower(s.title), lower(?)) > 0").join(" AND ");
      return connection.all<{ turnId: number; title: string }>(
        `SELECT t.id AS turnId, s.title FROM sessions s CROSS JOIN turns t ON t.session_id = s.session_id
         WHERE ${has} AND ${turns.sql("t.id")} ORDER BY s.ended_at DESC, s.rowid DESC, t.id LIMIT ?`,
        ...texts,
        ...turns.params,
        limit,
      );
    },
  } satisfies Partial<SearchStore>;
}

function matchesPerTurn(lookups: readonly (readonly { id: number }[])[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { id } of lookups.flat()) found[id] = (found[id] ?? 0) + 1;
  return found;
}

function bestTurns(
  connection: Connection,
  source: TurnHit["source"],
  found: Record<string, number>,
  limit: number,
  filter: Filter | undefined,
): TurnHit[] {
  const turns = turnCondition(filter);
  return connection
    .all<{ turnId: number; matches: number }>(
      `SELECT t.id AS turnId, j.value AS matches FROM json_each(?) j CROSS JOIN turns t ON t.id = CAST(j.key AS INTEGER)
       WHERE ${turns.sql("t.id")} ORDER BY j.value DESC, t.created_at IS NULL, t.created_at DESC, t.id DESC LIMIT ?`,
      JSON.stringify(found),
      ...turns.params,
      limit,
    )
    .map((row) => ({ ...row, source }));
}
