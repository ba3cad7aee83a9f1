import type { LocalSearchStore } from "../../src/store/store.ts";
import { overridingSearch } from "./overriding.ts";

/** A memory whose chunks have vectors in part only, as while they are made; which ones is the same every time. */
export function withPartOfVectors(store: LocalSearchStore, share: number): LocalSearchStore {
  const has = ({ chunkId }: { chunkId: number }) => Bun.hash.xxHash32(`${chunkId}`) % 1_000 < 1_000 * share;
  return overridingSearch(store, {
    nearestChunks: async (query, limit, filter) => {
      const hits = await store.nearestChunks(query, Math.ceil(limit / share), filter);
      return hits.filter(has).slice(0, limit);
    },
    chunkDistances: async (query, ids) => (await store.chunkDistances(query, ids)).filter(has),
    turnDistances: async (query, turnIds) => {
      const nearest = await store.nearestChunks(query, 1_000_000);
      const wanted = new Set(turnIds);
      const best = new Map<number, (typeof nearest)[number]>();
      for (const hit of nearest.filter(has))
        if (wanted.has(hit.turnId) && !best.has(hit.turnId)) best.set(hit.turnId, hit);
      return [...best.values()];
    },
  });
}
