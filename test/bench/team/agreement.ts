import { search } from "../../../src/recall/search.ts";
import type { Database } from "../../../src/store/postgres/client/database.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres.ts";
import { vectorLiteral } from "../../../src/store/postgres/vectors.ts";
import type { SearchStore } from "../../../src/store/store.ts";
import type { ChunkHit } from "../../../src/store/stored.ts";
import { median } from "../measure.ts";
import { overridingSearch } from "../overriding.ts";

export interface Query {
  text: string;
  meaning: Float32Array;
}

/** A project as one of its members searches it. */
export interface Searched {
  project: number;
  /** Connected as the member, and as the superuser. */
  member: Database;
  superuser: Database;
  /** The memory of a member that pulled the project; null without one. */
  local: SearchStore | null;
}

/** How searches of a project compare with those that measure all of its vectors. */
export interface Agreement {
  /** Milliseconds of the nearest 200 chunks at the median: as the member finds them, and by measuring all. */
  foundMs: number;
  measuredMs: number;
  /** Shares of the true ten nearest chunks, and of the first ten results of a search with those, that are found. */
  chunks: number;
  results: number;
  /** The same share of the first ten results in the local memory; null without one. */
  local: number | null;
}

const FIRST = 10;
const NEAREST = 200;

/** Asks each question at the server, at the server with all vectors measured, and in the local memory. */
export async function agreementOf(
  { project, member, superuser, local }: Searched,
  queries: readonly Query[],
): Promise<Agreement> {
  const store = openPostgresStore(member, project).search;
  const nearestChunks = (query: Float32Array, limit: number) => measured(superuser, project, query, limit);
  const exact = overridingSearch(store, { nearestChunks });
  const times: [number[], number[]] = [[], []];
  const shares: Record<"chunks" | "results" | "local", number[]> = { chunks: [], results: [], local: [] };
  for (const query of queries) {
    const found = await timed(times[0], () => store.nearestChunks(query.meaning, NEAREST));
    const nearest = await timed(times[1], () => nearestChunks(query.meaning, NEAREST));
    shares.chunks.push(shareOf(found.map(chunkOf), nearest.map(chunkOf)));
    const results = await firstTurns(store, query);
    shares.results.push(shareOf(results, await firstTurns(exact, query)));
    if (local !== null) shares.local.push(shareOf(results, await firstTurns(local, query)));
  }
  return {
    foundMs: median(times[0]),
    measuredMs: median(times[1]),
    chunks: mean(shares.chunks),
    results: mean(shares.results),
    local: local === null ? null : mean(shares.local),
  };
}

/** The nearest chunks by plain SQL over all vectors of a project, which no index answers. */
function measured(
  superuser: Database,
  project: number,
  query: Float32Array,
  limit: number,
): Promise<ChunkHit[]> {
  return superuser.transaction((sql) =>
    sql.query<ChunkHit>(
      `SELECT chunk_id AS "chunkId", turn_id AS "turnId", embedding <=> $1::text::halfvec AS distance
       FROM mementor.chunk_vectors WHERE project_id = $2 AND model_id = 1 ORDER BY 3, 1 LIMIT $3`,
      [vectorLiteral(query), project, limit],
    ),
  );
}

/** The first results of a search. Turns have other ids in other memories. */
async function firstTurns(store: SearchStore, { text, meaning }: Query): Promise<string[]> {
  const { hits } = await search({ query: text, limit: FIRST }, { store, embed: async () => meaning });
  return hits.map(({ turn }) => `${turn.sessionId} ${turn.createdAt}`);
}

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  times.push(performance.now() - startedAt);
  return result;
}

const chunkOf = ({ chunkId }: ChunkHit) => String(chunkId);

/** The share of the first ten of `wanted` that are among the first ten of `found`. */
function shareOf(found: readonly string[], wanted: readonly string[]): number {
  const first = new Set(found.slice(0, FIRST));
  const sought = wanted.slice(0, FIRST);
  return sought.length === 0 ? 1 : sought.filter((id) => first.has(id)).length / sought.length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
