import { MAX_COSINE_DISTANCE } from "../constants.ts";
import type { SearchStore } from "../store/store.ts";
import type { StoredChunk } from "../store/stored.ts";
import { cohortNearness, comparable } from "./calibration.ts";
import type { Candidate } from "./candidates.ts";
import type { DistanceSpread } from "./evidence.ts";
import { fuse, type Scored } from "./fusion.ts";
import type { QueryParts } from "./query.ts";
import { RANKED_CHARS } from "./read-to-rank.ts";

/** Number of chunks in the sample that shows how the distances to a query are distributed. */
const DISTANCE_SAMPLE = 256;

/** All candidates of a query, best first. Those beyond the distance limit are kept apart in `far`. */
export interface Ranking {
  parts: QueryParts;
  spread: DistanceSpread | null;
  near: Scored[];
  far: Scored[];
  /**
   * How near the prompt is to turns of unrelated projects, for the gate; null without vectors, and with another
   * model.
   */
  cohort: number | null;
  /** The model of the memory's vectors, whose scale the distances had; null where there is none. */
  model: string | null;
}

/** Loads the turns of the candidates and ranks them. Their distances become those of the built-in model's scale. */
export async function rankCandidates(
  found: ReadonlyMap<number, Candidate>,
  parts: QueryParts,
  vector: Float32Array | null,
  store: SearchStore,
): Promise<Ranking> {
  const [model, distances, stored, chunks] = await Promise.all([
    store.modelId(),
    vector === null ? [] : store.sampleDistances(vector, DISTANCE_SAMPLE),
    store.turns([...found.keys()], RANKED_CHARS),
    chunksOf(found.values(), store),
  ]);
  const scaled = (distance: number) => comparable(distance, model);
  const spread = vector === null ? null : spreadOf(distances.map(scaled));
  const turns = new Map(stored.map((turn) => [turn.turnId, turn]));
  const candidates = [...found.values()].map((candidate) => withDistances(candidate, scaled));
  const ranked = fuse(candidates, { turns, chunks }, parts, spread);
  const isNear = ({ candidate }: Scored) => !isFoundByVectorAlone(candidate) || isWithinLimit(candidate);
  const cohort = vector === null ? null : cohortNearness(vector, model);
  return {
    parts,
    spread,
    near: ranked.filter(isNear),
    far: ranked.filter((scored) => !isNear(scored)),
    cohort,
    model,
  };
}

function withDistances(candidate: Candidate, scaled: (distance: number) => number): Candidate {
  const changed = (distance: number | null) => distance && scaled(distance);
  return {
    ...candidate,
    distance: changed(candidate.distance),
    plainDistance: changed(candidate.plainDistance),
    secondDistance: changed(candidate.secondDistance),
  };
}

/** Returns, by turn, the chunks by which each candidate was found. */
async function chunksOf(
  found: Iterable<Candidate>,
  store: Pick<SearchStore, "chunks">,
): Promise<Map<number, StoredChunk[]>> {
  const ids = [...found].flatMap(({ nearestChunk, keywordChunk }) => [nearestChunk, keywordChunk]);
  const chunks = await store.chunks([...new Set(ids)].filter((id) => id !== null));
  return Map.groupBy(chunks, ({ turnId }) => turnId);
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
