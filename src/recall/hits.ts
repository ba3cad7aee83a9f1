import type { HitSource } from "../domain.ts";
import { lazily } from "../lazily.ts";
import type { SearchStore } from "../store/store.ts";
import type { StoredTurn } from "../store/stored.ts";
import { markedPassage } from "../turn/marked.ts";
import type { WordsKind } from "../turn/text.ts";
import type { Candidate } from "./candidates.ts";
import type { Scored } from "./fusion.ts";
import { type Quotation, quotation } from "./matter/quotation.ts";
import { bestPassage } from "./passage.ts";
import type { QueryParts } from "./query.ts";
import { withWholeTexts } from "./read-to-rank.ts";
import { joinBest, scoredSentences } from "./statement/choose.ts";
import { coveredShare, type SoughtWords, soughtWords } from "./statement/features.ts";

/** Assumed cosine distance of turns that were found only by path, and only by access pattern. */
const FILE_MATCH_DISTANCE = 0.4;
const ACCESS_PATTERN_DISTANCE = 0.38;
/** Length of a statement in characters: three lines of a terminal. */
const STATEMENT_CHARS = 300;

/** One turn that answers a query. */
export interface SearchHit {
  turn: StoredTurn;
  /**
   * Cosine distance of its best chunk; 0.40 for a turn found by path alone, 0.38 by access pattern alone; null without vectors.
   */
  distance: number | null;
  score: number;
  sources: HitSource[];
  /** Returns the quotation. Finding it takes most of the time of a search, and few hits are shown. */
  quoted: () => QuotedPassage;
}

/** The quotation from a turn that answers a query. */
export interface QuotedPassage {
  /** The text around the match. */
  passage: string;
  /** The sentences that say most about the query, with the user's next words; null when no sentence has a word of the query. */
  statement: Quotation | null;
}

/** Turns scored candidates into results, each with the passage around the matching chunk and its statement on the query. */
export async function buildHits(
  found: readonly Scored[],
  parts: QueryParts,
  store: Pick<SearchStore, "chunks" | "turns">,
  passageChars: number,
): Promise<SearchHit[]> {
  const ranked = await withWholeTexts(found, store);
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
      quoted: lazily(() => ({
        passage: markedPassage(bestPassage(turn, chunk, words, passageChars), turn),
        statement: statementOn(turn, sought, parts.text),
      })),
    };
  });
}

/** Kinds of parts in order of preference: spoken words before thinking, and prompts last, because they are a result's heading. */
const TIERS: readonly (readonly WordsKind[])[] = [
  ["answer", "narration", "note"],
  ["thinking"],
  ["prompt"],
  ["unsure"],
];
/** Limits for skipping a tier: less than this share of the words in another one, or less certain by this many logits. */
const ENOUGH_OF_MOST = 0.5;
const LESS_SURE = 1.5;

/**
 * Matches error text: an error's kind with a colon (a number may be between them), a stack frame, a tool's error prefix, a system
 * error name, or an exit status.
 */
const ERROR =
  /\b\w*(?:error|exception)\b(?:\s?\[?[A-Z]{0,4}\d{2,6}\]?)?\s?:|\bTraceback\b|^[ \t]*(?:panic|fatal|FAIL|npm ERR)|\bat \S.{0,400}?:\d+:\d+|\bE[A-Z]{3,14}:|\b(?:segmentation fault|core dumped|command not found|no such file or directory|permission denied|(?:exit|exited with) (?:code|status) [1-9])/im;

/** Returns a turn's statement on the words of a query; null when no sentence has any of them. */
function statementOn(turn: StoredTurn, sought: SoughtWords, query: string): Quotation | null {
  const sentences = scoredSentences(turn, sought);
  const said = TIERS.flatMap((kinds) => {
    const best = joinBest(
      sentences.filter(({ kind }) => kinds.includes(kind)),
      { chars: STATEMENT_CHARS },
    );
    return best === null ? [] : [{ best, covered: coveredShare(best.text, sought) }];
  });
  // A query for an error already has its words, and wants the words about it.
  if (ERROR.test(query) && said[0] !== undefined) return quotation(turn, said[0].best);
  const most = Math.max(...said.map(({ covered }) => covered));
  const surest = Math.max(...said.map(({ best }) => best.score));
  const held = said.filter(({ covered }) => covered > 0);
  // If the prompt has most of the words and an answer is more certain, the answer wins; otherwise neither would.
  const first =
    held.find(({ best, covered }) => covered >= ENOUGH_OF_MOST * most && best.score >= surest - LESS_SURE) ??
    held[0];
  return first === undefined ? null : quotation(turn, first.best);
}

function reportedDistance({ sources, distance }: Candidate): number | null {
  if (sources.size === 1 && sources.has("file")) return FILE_MATCH_DISTANCE;
  if (sources.size === 1 && sources.has("access")) return ACCESS_PATTERN_DISTANCE;
  return distance;
}
