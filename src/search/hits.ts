import type { HitSource } from "../domain.ts";
import type { SearchStore } from "../store/contract/store.ts";
import type { StoredTurn } from "../store/contract/types/stored.ts";
import type { Candidate } from "./candidates.ts";
import type { Scored } from "./fusion.ts";
import { passageOf } from "./passage.ts";
import type { QueryParts } from "./query.ts";

/** Assumed cosine distance of turns that were found only by path, and only by access pattern. */
const FILE_MATCH_DISTANCE = 0.4;
const ACCESS_PATTERN_DISTANCE = 0.38;

/** One turn that answers a query. */
export interface SearchHit {
  turn: StoredTurn;
  /** Cosine distance of its best chunk; 0.40 for a turn found by path alone, 0.38 by access pattern alone; null without vectors. */
  distance: number | null;
  score: number;
  sources: HitSource[];
  passage: string;
}

/** Turns scored candidates into results, each with the passage around the chunk that was found. */
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
      passage: passageOf(turn, chunk, words, passageChars),
    };
  });
}

function reportedDistance({ sources, distance }: Candidate): number | null {
  if (sources.size === 1 && sources.has("file")) return FILE_MATCH_DISTANCE;
  if (sources.size === 1 && sources.has("access")) return ACCESS_PATTERN_DISTANCE;
  return distance;
}
