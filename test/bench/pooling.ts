import { bestPassage } from "../../src/recall/passage.ts";
import { type SearchRequest, search } from "../../src/recall/search.ts";
import type { BenchMemory } from "./memory.ts";

/** A session that one of the rankings puts among the first, with what it says. */
export interface PooledSession {
  session: string;
  turnId: number;
  createdAt: string | null;
  passage: string;
}

/** The rankings whose results are pooled: none of them alone decides what a person gets to see. */
const RANKINGS: readonly NonNullable<SearchRequest["mode"]>[] = ["vector", "keyword", "hybrid"];
const PASSAGE_CHARS = 700;

/** Returns the sessions of the first `depth` turns of each ranking, in an order that does not tell which found them. */
export async function pooledSessions(
  { store, embedder }: Pick<BenchMemory, "store" | "embedder">,
  query: string,
  depth: number,
): Promise<PooledSession[]> {
  const deps = { store: store.search, embed: (text: string) => embedder.embed(text) };
  const pooled = new Map<string, PooledSession>();
  for (const mode of RANKINGS) {
    const { hits } = await search({ query, mode, limit: depth, passageChars: PASSAGE_CHARS }, deps);
    for (const { turn, quoted } of hits)
      if (!pooled.has(turn.sessionId))
        pooled.set(turn.sessionId, {
          session: turn.sessionId,
          turnId: turn.turnId,
          createdAt: turn.createdAt,
          passage: quoted().passage || bestPassage(turn, null, [], PASSAGE_CHARS),
        });
  }
  const order = ({ session }: PooledSession) => Bun.hash.xxHash32(`${query}\0${session}`);
  return [...pooled.values()].sort((a, b) => order(a) - order(b));
}
