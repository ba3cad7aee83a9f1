import type { Filter } from "../../filter/filter.ts";
import type { Connection } from "../connection/connection.ts";
import {
  type Condition,
  commitCondition,
  pathCondition,
  sessionCondition,
  turnCondition,
} from "../filter.ts";
import { isFile } from "../resources.ts";
import type { SearchStore } from "../store.ts";
import { storedChunks, storedTurns } from "../turns/stored-turns.ts";
import type { ChunkHit, Totals, TurnHit } from "../types.ts";
import { fromBytes } from "../vectors/math.ts";
import { activeModel, checkDimensions } from "../vectors/models.ts";
import { nearestChunks } from "../vectors/nearest-chunks.ts";
import type { VectorSearch } from "../vectors/vector-search.ts";
import { hintedPath } from "./hinted-path.ts";
import { anyOf, rarest, searchChunks, searchTurns, turnsWith } from "./keywords.ts";
import { onceEach } from "./once-each.ts";

/** Number of chunks that are measured to find the nearest one. */
const LIKELY_NEAREST = 32;

export function searchStore(connection: Connection, vectors: () => Promise<VectorSearch>): SearchStore {
  const rareOf = onceEach((terms: readonly string[]) => rarest(connection, terms));
  const store: SearchStore = {
    snapshot: (work) => work(store),
    async nearestChunks(query, limit, filter, isLate) {
      const model = activeModel(connection);
      if (model === null) return [];
      checkDimensions(model, query);
      const search = await vectors();
      const request = {
        modelId: model.id,
        query,
        limit,
        filter: filter ?? {},
        isLate: isLate ?? (() => false),
      };
      return connection.snapshot(() => nearestChunks(connection, search, request));
    },
    async nearestDistance(query, filter) {
      const model = activeModel(connection);
      if (model === null) return null;
      checkDimensions(model, query);
      const search = await vectors();
      const request = { modelId: model.id, query, limit: 1, filter: filter ?? {}, isLate: () => false };
      const [nearest] = connection.snapshot(() =>
        nearestChunks(connection, search, { ...request, candidates: LIKELY_NEAREST }),
      );
      return nearest?.distance ?? null;
    },
    async sampleDistances(query, sample) {
      const model = activeModel(connection);
      if (model === null) return [];
      checkDimensions(model, query);
      const ids = connection.all<{ id: number }>(SAMPLE, model.id, sample).map((row) => row.id);
      return (await vectors()).distances(model.id, query, ids).map((row) => row.distance);
    },
    async turnDistances(query, turnIds) {
      const model = activeModel(connection);
      if (model === null || turnIds.length === 0) return [];
      checkDimensions(model, query);
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
      const model = activeModel(connection);
      if (model === null || chunkIds.length === 0) return [];
      checkDimensions(model, query);
      return (await vectors()).distances(model.id, query, chunkIds);
    },
    async keywordChunks(terms, limit, filter) {
      return terms.length === 0
        ? []
        : searchChunks(connection, anyOf(rareOf(terms)), limit, turnCondition(filter));
    },
    async keywordTurns(terms, limit, filter) {
      return terms.length === 0
        ? []
        : searchTurns(connection, anyOf(rareOf(terms)), limit, turnCondition(filter));
    },
    async termTurns(terms, maxTurns, filter) {
      const found = new Map<string, number[]>();
      const turns = turnCondition(filter);
      for (const term of terms) {
        const ids = turnsWith(connection, term, maxTurns + 1, turns);
        if (ids.length <= maxTurns) found.set(term, ids);
      }
      return found;
    },
    async turnsByFile(hints, limit, filter) {
      const found = matchesPerTurn(
        hints.map((hint) => {
          const { sql, params } = pathCondition(hintedPath(hint));
          return () =>
            connection.all<{ id: number }>(
              `SELECT DISTINCT m.turn_id AS id FROM file_mentions m WHERE ${sql}`,
              ...params,
            );
        }),
      );
      return bestTurns(connection, "file", found, limit, filter);
    },
    async turnsByCommit(hashes, limit, filter) {
      const found = matchesPerTurn(
        hashes.map((hash) => {
          const { sql, params } = commitCondition(hash);
          return () =>
            connection.all<{ id: number }>(
              `SELECT DISTINCT k.turn_id AS id FROM commits k WHERE ${sql}`,
              ...params,
            );
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
    async accessPattern(sessionId, window) {
      const row = connection.get<{ centroid: Uint8Array }>(
        `SELECT centroid FROM session_access_patterns WHERE session_id = ? AND window_type = ? AND model_id = ?`,
        sessionId,
        window,
        activeModel(connection)?.id ?? 0,
      );
      return row === null ? null : fromBytes(row.centroid);
    },
    async nearestSessions(centroid, limit, exceptSessionId, filter = {}) {
      const modelId = activeModel(connection)?.id ?? 0;
      const wanted = { exceptId: exceptSessionId, fits: sessionCondition(filter) };
      return (await vectors()).sessions(modelId, centroid, limit, wanted);
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
    async turns(turnIds) {
      return storedTurns(connection, turnIds);
    },
    async chunks(chunkIds) {
      return storedChunks(connection, chunkIds);
    },
    async modelId() {
      return activeModel(connection)?.name ?? null;
    },
    async totals(filter) {
      const turns = turnCondition(filter);
      if (!turns.empty) return totalsOf(connection, turns);
      const row = connection.get<Totals>(
        `SELECT (SELECT count(*) FROM sessions) AS sessions, (SELECT count(*) FROM turns) AS turns,
           (SELECT count(*) FROM chunks) AS chunks,
           (SELECT count(*) FROM pending_vectors WHERE model_id = ?) AS pendingChunks`,
        activeModel(connection)?.id ?? 0,
      );
      return row ?? { sessions: 0, turns: 0, chunks: 0, pendingChunks: 0 };
    },
  };
  return store;
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

const RECENT_RESOURCES = `SELECT m.file_path AS resource, NOT ${isFile("m.file_path")} AS url
  FROM turns t CROSS JOIN file_mentions m ON m.turn_id = t.id WHERE t.session_id = ?
    AND t.foreign_origin IS NULL AND t.id NOT IN (SELECT value FROM json_each(?))
  ORDER BY t.created_at IS NULL, t.created_at DESC, t.line_index DESC, m.rowid DESC`;

function totalsOf(connection: Connection, turns: Condition): Totals {
  const row = connection.get<Totals>(
    `WITH fitting AS MATERIALIZED (SELECT x.id, x.session_id FROM turns x WHERE ${turns.sql("x.id")})
     SELECT (SELECT count(DISTINCT session_id) FROM fitting) AS sessions, (SELECT count(*) FROM fitting) AS turns,
       (SELECT count(*) FROM fitting f CROSS JOIN chunks c ON c.turn_id = f.id) AS chunks,
       (SELECT count(*) FROM pending_vectors WHERE model_id = ?) AS pendingChunks`,
    ...turns.params,
    activeModel(connection)?.id ?? 0,
  );
  return row ?? { sessions: 0, turns: 0, chunks: 0, pendingChunks: 0 };
}

function matchesPerTurn(lookups: (() => { id: number }[])[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const lookup of lookups) {
    for (const { id } of lookup()) found[id] = (found[id] ?? 0) + 1;
  }
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
