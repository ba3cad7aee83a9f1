import type { HitSource } from "../domain.ts";
import type { Filter } from "../store/filter.ts";
import type { LocalSearchStore, SearchStore } from "../store/store.ts";
import type { ChunkHit, KeywordHit } from "../store/stored.ts";
import type { QueryParts } from "./query.ts";

/**
 * Number of candidates from each kind of search. Nearest chunks: four times the need of the fifty best turns; half as many rank
 * worse (`bench:recall`, `bench:foresight`). Keywords: 200 and 100 rank no better.
 */
export const CANDIDATES = {
  nearestChunks: 200,
  keywordChunks: 120,
  keywordTurns: 70,
  fileTurns: 40,
  sharedTurns: 60,
  referenceTurns: 20,
  titledTurns: 20,
} as const;

/** Minimum rare words of a query; with fewer, common words are searched, too. */
const MIN_RARE_WORDS = 4;

/** A found turn with the evidence from each kind of search. */
export interface Candidate {
  turnId: number;
  sources: Set<HitSource>;
  /** Cosine distance of its best chunk to the query as searched (enriched, in a session); null without vectors. */
  distance: number | null;
  /** Cosine distance of its best chunk to the query as typed, without enrichment, for the gate. */
  plainDistance: number | null;
  /** Cosine distance of its second best chunk among the nearest ones. */
  secondDistance: number | null;
  /** Ids of the nearest chunk, and of the chunk with the highest keyword score. */
  nearestChunk: number | null;
  keywordChunk: number | null;
  /** Keyword scores of the index, larger is better; 0 when keywords did not find the turn. */
  chunkKeywords: number;
  turnKeywords: number;
  /** Number of matching file hints, commits and pull requests of the query. */
  files: number;
  references: number;
  /** Rank of its session among those with similar access patterns, 0 for the nearest; null when it is not among them. */
  accessRank: number | null;
  /** Number of the current session's last files that the turn also touched. */
  shared: number;
}

/** Collects candidates by keywords, files, commits and pull requests. Each search applies the whole filter. */
export async function collectByWords(
  query: QueryParts,
  store: SearchStore,
  filter: Filter,
): Promise<Map<number, Candidate>> {
  const found = new Map<number, Candidate>();
  const terms = queryKeywords(query);
  const { commits, prNumbers } = query.references;
  const [chunks, turns, files, byCommit, byPr] = await Promise.all([
    store.keywordChunks(terms, CANDIDATES.keywordChunks, filter),
    store.keywordTurns(terms, CANDIDATES.keywordTurns, filter),
    query.fileHints.length === 0 ? [] : store.turnsByFile(query.fileHints, CANDIDATES.fileTurns, filter),
    commits.length === 0 ? [] : store.turnsByCommit(commits, CANDIDATES.referenceTurns, filter),
    prNumbers.length === 0 ? [] : store.turnsByPr(prNumbers, CANDIDATES.referenceTurns, filter),
  ]);
  for (const hit of chunks) addKeywords(addCandidate(found, hit.turnId, "keyword"), hit);
  for (const hit of turns) addKeywords(addCandidate(found, hit.turnId, "keyword"), hit);
  for (const hit of files) addCandidate(found, hit.turnId, "file").files = hit.matches;
  for (const hit of [...byCommit, ...byPr])
    addCandidate(found, hit.turnId, hit.source).references += hit.matches;
  return found;
}

/** Returns the candidates with distances, and further ones near the query. Leaves the given ones unchanged. */
export async function withNearest(
  byWords: ReadonlyMap<number, Candidate>,
  vector: Float32Array,
  store: Pick<LocalSearchStore, "nearestChunks" | "turnDistances">,
  filter: Filter,
  isLate: () => boolean,
): Promise<Map<number, Candidate>> {
  const near = await store.nearestChunks(vector, CANDIDATES.nearestChunks, filter, isLate);
  const found = joined(byWords, near);
  if (!isLate()) await addDistances(found, vector, store);
  return found;
}

function joined(byWords: ReadonlyMap<number, Candidate>, near: readonly ChunkHit[]): Map<number, Candidate> {
  const found = new Map(
    [...byWords].map(([id, entry]) => [id, { ...entry, sources: new Set(entry.sources) }]),
  );
  for (const hit of near) {
    const entry = addCandidate(found, hit.turnId, "vector");
    entry.sources = new Set(["vector", ...entry.sources]);
    addNear(entry, hit);
  }
  return found;
}

/** Collects candidates by all searches at once; without a vector, by keywords alone. */
export async function collectCandidates(
  query: QueryParts,
  vector: Float32Array | null,
  store: SearchStore,
  filter: Filter,
): Promise<Map<number, Candidate>> {
  const [byWords, near] = await Promise.all([
    collectByWords(query, store, filter),
    vector === null ? [] : store.nearestChunks(vector, CANDIDATES.nearestChunks, filter),
  ]);
  if (vector === null) return byWords;
  const found = joined(byWords, near);
  await addDistances(found, vector, store);
  return found;
}

/**
 * Returns the words to search for. Looking up a word of most turns is expensive and useless, even more so for phrases, so common
 * words are searched only when the query has few rare ones.
 */
export function queryKeywords({ terms, phrases }: QueryParts): string[] {
  const rare = new Set(terms.filter(({ turnIds }) => turnIds !== null).map(({ term }) => term));
  const common = new Set(terms.filter(({ turnIds }) => turnIds === null).map(({ term }) => term));
  const known = terms.filter(({ turnIds }) => turnIds?.length !== 0);
  if (rare.size < MIN_RARE_WORDS) return [...known.map(({ term }) => term), ...phrases];
  const isRare = (words: string[]) =>
    words.some((word) => rare.has(word)) && !words.some((word) => common.has(word));
  return [...rare, ...phrases.filter((phrase) => isRare(phrase.split(" ")))];
}

/** Adds a turn from a search, or the search as a further source of an existing candidate. */
export function addCandidate(found: Map<number, Candidate>, turnId: number, source: HitSource): Candidate {
  let entry = found.get(turnId);
  if (entry === undefined) {
    entry = {
      turnId,
      sources: new Set(),
      distance: null,
      plainDistance: null,
      secondDistance: null,
      nearestChunk: null,
      keywordChunk: null,
      chunkKeywords: 0,
      turnKeywords: 0,
      files: 0,
      references: 0,
      accessRank: null,
      shared: 0,
    };
    found.set(turnId, entry);
  }
  entry.sources.add(source);
  return entry;
}

/** Adds the distance of every candidate that is not among the nearest chunks. */
export async function addDistances(
  found: ReadonlyMap<number, Candidate>,
  vector: Float32Array,
  store: Pick<SearchStore, "turnDistances">,
): Promise<void> {
  const unknown = [...found.values()].filter((entry) => entry.distance === null).map((entry) => entry.turnId);
  if (unknown.length === 0) return;
  for (const hit of await store.turnDistances(vector, unknown)) {
    const entry = found.get(hit.turnId);
    if (entry) addNear(entry, hit);
  }
}

/**
 * Adds distances to the query as typed. Measures only the chunks by which each turn was found: in a large memory, measuring all
 * chunks would cost as much as the search.
 */
export async function addPlainDistances(
  found: ReadonlyMap<number, Candidate>,
  vector: Float32Array,
  store: Pick<LocalSearchStore, "chunkDistances">,
): Promise<void> {
  const chunksOf = ({ nearestChunk, keywordChunk }: Candidate) => [nearestChunk, keywordChunk];
  const ids = [...found.values()].flatMap(chunksOf).filter((id) => id !== null);
  const hits = await store.chunkDistances(vector, [...new Set(ids)]);
  const distances = new Map(hits.map(({ chunkId, distance }) => [chunkId, distance]));
  for (const entry of found.values()) {
    const near = chunksOf(entry).map((id) => distances.get(id ?? -1) ?? Infinity);
    const distance = Math.min(...near);
    if (distance < Infinity) entry.plainDistance = distance;
  }
}

function addNear(entry: Candidate, hit: ChunkHit): void {
  if (entry.distance === null || hit.distance < entry.distance) {
    entry.secondDistance = entry.distance;
    entry.distance = hit.distance;
    entry.nearestChunk = hit.chunkId;
  } else if (entry.secondDistance === null || hit.distance < entry.secondDistance) {
    entry.secondDistance = hit.distance;
  }
}

function addKeywords(entry: Candidate, hit: KeywordHit): void {
  if (hit.chunkId === null) {
    entry.turnKeywords = Math.max(entry.turnKeywords, hit.score);
  } else if (hit.score > entry.chunkKeywords || entry.keywordChunk === null) {
    entry.chunkKeywords = hit.score;
    entry.keywordChunk = hit.chunkId;
  }
}
