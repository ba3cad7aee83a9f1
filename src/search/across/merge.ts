import type { RatedHit, SearchResult } from "../search.ts";

/**
 * Merges the results of several memories, best first.
 *
 * The scores of two memories cannot be compared, because each is relative to the candidates of its own memory. The gate's
 * probability that a memory answers the query can: it is fitted on memories of different sizes. So a hit counts its
 * memory's probability, times its score as a share of that memory's best.
 */
export function merged<Project>(
  found: readonly { project: Project; result: SearchResult }[],
): { hit: RatedHit; project: Project; words: readonly string[] }[] {
  return found
    .flatMap(({ project, result: { hits, explain } }) => {
      const best = Math.max(Number.EPSILON, ...hits.map(({ score }) => score));
      const probability = explain.gate?.probability ?? 0;
      const words = explain.parts.terms.map(({ term }) => term);
      return hits.map((hit) => ({ hit, project, words, worth: probability * Math.max(0, hit.score / best) }));
    })
    .sort((a, b) => b.worth - a.worth)
    .map(({ worth: _, ...each }) => each);
}
