import type { HitSource } from "../domain.ts";
import { joined, type Statement, scoredSentences } from "../statement/choose.ts";
import { coveredBy, type SoughtWords } from "../statement/features.ts";
import type { SearchStore } from "../store/contract/store.ts";
import type { StoredTurn } from "../store/contract/types/stored.ts";
import type { Candidate } from "./candidates.ts";
import type { Scored } from "./fusion.ts";
import { passageOf } from "./passage.ts";
import type { QueryParts } from "./query.ts";
import { soughtWords } from "./worth/told.ts";

/** Assumed cosine distance of turns that were found only by path, and only by access pattern. */
const FILE_MATCH_DISTANCE = 0.4;
const ACCESS_PATTERN_DISTANCE = 0.38;
/** Length of a statement in characters: three lines of a terminal. */
const STATEMENT_CHARS = 300;

/** One turn that answers a query. */
export interface SearchHit {
  turn: StoredTurn;
  /** Cosine distance of its best chunk; 0.40 for a turn found by path alone, 0.38 by access pattern alone; null without vectors. */
  distance: number | null;
  score: number;
  sources: HitSource[];
  /** The text around what was found. */
  passage: string;
  /** The sentences that say most on what was asked; null where no sentence has a word of the query. */
  statement: Pick<Statement, "text" | "kind"> | null;
}

/** Turns scored candidates into results, each with the passage around the chunk that was found and with what it says on the query. */
export async function hitsOf(
  ranked: readonly Scored[],
  parts: QueryParts,
  store: Pick<SearchStore, "chunks">,
  passageChars: number,
): Promise<SearchHit[]> {
  const ids = ranked.map(({ candidate }) => candidate.keywordChunk ?? candidate.nearestChunk);
  const chunks = await store.chunks(ids.filter((id) => id !== null));
  const words = parts.terms.map(({ term }) => term);
  const sought = soughtWords(parts);
  return ranked.map(({ candidate, turn, score }, i) => {
    const chunk = chunks.find(({ chunkId }) => chunkId === ids[i]) ?? null;
    return {
      turn,
      distance: reportedDistance(candidate),
      score,
      sources: [...candidate.sources],
      passage: passageOf(turn, chunk, words, passageChars),
      statement: statementOn(turn, sought),
    };
  });
}

/**
 * Returns what a turn says on the words of a query. Its prompt is the heading of a result, so it is taken only where nothing
 * else has any of the words.
 */
function statementOn(turn: StoredTurn, sought: SoughtWords): SearchHit["statement"] {
  const sentences = scoredSentences(turn, sought).filter(({ kind }) => kind !== "forward");
  const holds = ({ text }: { text: string }) => coveredBy(text, sought) > 0;
  const others = sentences.filter(({ kind }) => kind !== "prompt");
  const best = joined(others.some(holds) ? others : sentences, { chars: STATEMENT_CHARS });
  return best === null || !holds(best) ? null : { text: best.text, kind: best.kind };
}

function reportedDistance({ sources, distance }: Candidate): number | null {
  if (sources.size === 1 && sources.has("file")) return FILE_MATCH_DISTANCE;
  if (sources.size === 1 && sources.has("access")) return ACCESS_PATTERN_DISTANCE;
  return distance;
}
