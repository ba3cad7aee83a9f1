import { ACCESS_PATTERN_DISTANCE, FILE_MATCH_DISTANCE, MAX_COSINE_DISTANCE, SEARCH } from "../constants.ts";
import type { HitSource } from "../domain.ts";
import type { SearchFilter, SearchStore, StoredTurn } from "../store/store.ts";
import { type Candidate, collectCandidates } from "./candidates.ts";
import { withoutRepeats } from "./distinct.ts";
import type { DistanceSpread } from "./evidence.ts";
import { fuse, type Scored } from "./fusion.ts";
import { passageOf } from "./passage.ts";
import { type QueryParts, queryParts } from "./query.ts";

export interface SearchRequest {
  query: string;
  /** How many turns at most. */
  limit: number;
  filter?: SearchFilter;
  /** Characters of a passage; the default is for a terminal. */
  passageChars?: number;
  /** Ways of finding that are used; `hybrid`, the default, is all of them. */
  mode?: "hybrid" | "keyword" | "vector";
}

export interface SearchDeps {
  store: SearchStore;
  /** Null, or resolving to null, where nothing can be embedded: keywords answer alone. */
  embed: ((text: string) => Promise<Float32Array | null>) | null;
}

/** One turn that answers a query. */
export interface SearchHit {
  turn: StoredTurn;
  /** Cosine distance of its best chunk; 0.40 for a turn found by path alone, 0.38 by access pattern alone; null without vectors. */
  distance: number | null;
  score: number;
  sources: HitSource[];
  passage: string;
}

export interface SearchResult {
  query: string;
  hits: SearchHit[];
  explain: Explanation;
}

/** Everything that was considered, for `--explain`. */
export interface Explanation {
  parts: QueryParts;
  spread: DistanceSpread | null;
  /** Every candidate in its order, with what filtered it. */
  candidates: { scored: Scored; filteredBy: "distance" | "repeat" | "rank" | "told" | "session" | null }[];
}

/** Answers a query from the command line or through MCP: no enrichment, no gate; never fewer turns than there are. */
export async function search(request: SearchRequest, deps: SearchDeps): Promise<SearchResult> {
  const ranking = await rank(request, deps);
  const { kept, repeats } = withoutRepeats(ranking.near);
  const best = kept.slice(0, request.limit);
  const hits = await hitsOf(best, ranking.parts, deps.store, request.passageChars ?? SEARCH.passageChars);
  const candidates = [
    ...kept.map((scored, i) => ({ scored, filteredBy: i < request.limit ? null : ("rank" as const) })),
    ...repeats.map((scored) => ({ scored, filteredBy: "repeat" as const })),
    ...ranking.far.map((scored) => ({ scored, filteredBy: "distance" as const })),
  ];
  return {
    query: request.query,
    hits,
    explain: { parts: ranking.parts, spread: ranking.spread, candidates },
  };
}

/** All candidates of a query in their order, those beyond the limit of distance apart. */
export interface Ranking {
  parts: QueryParts;
  spread: DistanceSpread | null;
  near: Scored[];
  far: Scored[];
}

async function rank(
  { query, filter = {}, mode = "hybrid" }: SearchRequest,
  deps: SearchDeps,
): Promise<Ranking> {
  const { store, embed } = deps;
  const { turns } = await store.totals();
  const needsVector = mode !== "keyword" && turns > 0;
  const [parts, vector] = await Promise.all([
    mode === "vector" ? bareQuery(query) : queryParts(query, store, turns),
    needsVector && embed ? embed(query) : null,
  ]);
  const found = await collectCandidates(parts, vector, store, filter);
  return rankCandidates(found, parts, vector, store);
}

/** A query of which only the meaning counts. */
function bareQuery(text: string): QueryParts {
  return {
    text,
    terms: [],
    rarest: 1,
    phrases: [],
    fileHints: [],
    references: { commits: [], prNumbers: [] },
    literals: { numbers: [], identifiers: [] },
  };
}

/** Loads the turns of the candidates and puts them in order. */
export async function rankCandidates(
  found: ReadonlyMap<number, Candidate>,
  parts: QueryParts,
  vector: Float32Array | null,
  store: SearchStore,
): Promise<Ranking> {
  const spread =
    vector === null ? null : spreadOf(await store.sampleDistances(vector, SEARCH.distanceSample));
  const turns = new Map((await store.turns([...found.keys()])).map((turn) => [turn.turnId, turn]));
  const passages = await passagesOf(found.values(), store);
  const ranked = fuse(found.values(), { turns, passages }, parts, spread);
  const isNear = ({ candidate }: Scored) => !isFoundByVectorAlone(candidate) || isWithinLimit(candidate);
  return { parts, spread, near: ranked.filter(isNear), far: ranked.filter((one) => !isNear(one)) };
}

/** For each candidate the text of the chunks by which it was found, by turn. */
async function passagesOf(
  found: Iterable<Candidate>,
  store: Pick<SearchStore, "chunks">,
): Promise<Map<number, string>> {
  const ids = [...found].flatMap(({ nearestChunk, keywordChunk }) => [nearestChunk, keywordChunk]);
  const chunks = await store.chunks([...new Set(ids)].filter((id) => id !== null));
  const byTurn = Map.groupBy(chunks, ({ turnId }) => turnId);
  return new Map([...byTurn].map(([turnId, own]) => [turnId, own.map(({ content }) => content).join("\n")]));
}

/** Makes results of scored candidates: with the passage around the chunk that was found. */
export async function hitsOf(
  ranked: readonly Scored[],
  parts: QueryParts,
  store: Pick<SearchStore, "chunks">,
  passageChars: number,
): Promise<SearchHit[]> {
  const ids = ranked.map(({ candidate }) => candidate.keywordChunk ?? candidate.nearestChunk);
  const chunks = await store.chunks(ids.filter((id) => id !== null));
  const words = parts.terms.map(({ term }) => term);
  return ranked.map(({ candidate, turn, score }, i) => {
    const chunk = chunks.find(({ chunkId }) => chunkId === ids[i]) ?? null;
    return {
      turn,
      distance: reportedDistance(candidate),
      score,
      sources: [...candidate.sources],
      passage: passageOf(turn.fullText, chunk, words, passageChars),
    };
  });
}

function spreadOf(distances: readonly number[]): DistanceSpread | null {
  if (distances.length === 0) return null;
  const sorted = [...distances].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const square = sorted.reduce((sum, distance) => sum + (distance - median) ** 2, 0) / sorted.length;
  return { median, deviation: Math.sqrt(square) };
}

function isFoundByVectorAlone({ sources }: Candidate): boolean {
  return sources.size === 1 && sources.has("vector");
}

function isWithinLimit({ distance }: Candidate): boolean {
  return distance !== null && distance <= MAX_COSINE_DISTANCE;
}

function reportedDistance({ sources, distance }: Candidate): number | null {
  if (sources.size === 1 && sources.has("file")) return FILE_MATCH_DISTANCE;
  if (sources.size === 1 && sources.has("access")) return ACCESS_PATTERN_DISTANCE;
  return distance;
}
