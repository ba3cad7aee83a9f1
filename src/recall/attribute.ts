import type { RatedHit, SearchResult } from "./search.ts";

/** Names the author of each turn, also of those that are one's own. */
export function attributed(result: SearchResult, self: string): SearchResult {
  const named = (hit: RatedHit): RatedHit => ({
    ...hit,
    turn: { ...hit.turn, author: hit.turn.author ?? self },
  });
  return { ...result, hits: result.hits.map(named) };
}
