import { search } from "../../src/recall/search.ts";
import type { Filter } from "../../src/store/filter.ts";
import { halfOf, rankOf } from "./measures.ts";
import type { BenchMemory } from "./memory.ts";
import type { LabelledQuery } from "./prompts.ts";

/** A ranking is looked at this deep. */
const DEPTH = 50;

/** A query with the rank of its first right session by vectors alone and by the whole ranking. */
export interface RankedQuery {
  query: LabelledQuery;
  vectors: number;
  pipeline: number;
  half: 0 | 1;
}

/** Ranks sessions for each query, by the vectors alone (the design notes' ranking) and by everything. */
export async function rankQueries(
  { store, embedder }: Pick<BenchMemory, "store" | "embedder">,
  queries: readonly LabelledQuery[],
  filter: Pick<Filter, "others"> = {},
): Promise<RankedQuery[]> {
  const rows: RankedQuery[] = [];
  for (const query of queries) {
    const right = new Set(query.sessions);
    const vector = await embedder.embed(query.query);
    const nearest = await store.search.nearestChunks(vector, 4 * DEPTH, filter);
    const turns = await store.search.turns([...new Set(nearest.map((hit) => hit.turnId))]);
    const sessionOf = new Map(turns.map((turn) => [turn.turnId, turn.sessionId]));
    const deps = { store: store.search, browse: store.browse, embed: (text: string) => embedder.embed(text) };
    const { hits } = await search({ query: query.query, limit: DEPTH, filter }, deps);
    rows.push({
      query,
      vectors: rankOf(
        nearest.map((hit) => sessionOf.get(hit.turnId) ?? ""),
        right,
      ),
      pipeline: rankOf(
        hits.map((hit) => hit.turn.sessionId),
        right,
      ),
      half: halfOf(query.sessions[0] ?? ""),
    });
  }
  return rows;
}
