import { wordForm } from "./background/word-form.ts";
import { chanceOf, shareOfTexts } from "./background/words.ts";
import type { Candidate } from "./candidates.ts";
import { densestRarity, phraseRarity } from "./coverage.ts";
import type { Scored } from "./fusion.ts";
import { heldShare } from "./literals.ts";
import { type QueryParts, rarityOf } from "./query.ts";

/** What the gate's model takes as input. */
export interface GateFeatures {
  /** How near the best chunk is, `1 - distance`; 0 without vectors. */
  nearness: number;
  /** How near the prompt is to turns of unrelated projects, a cosine; 0 without vectors. */
  cohort: number;
  /** Largest share of the query's words in one of the best turns, each word weighted by its rarity. */
  turnCoverage: number;
  /** The same within a sentence or two of a passage. */
  passageWords: number;
  /** The same within the first sentences of a turn, which tell its topic. */
  opening: number;
  /** The same for pairs of adjacent words of the query that are adjacent in a passage. */
  phrases: number;
  /**
   * How much likelier the words of one of the best turns are if the turn answers the query than by chance, given its
   * length: the mean logarithm of the ratio per word.
   */
  surprise: number;
  /** Share of the query's words that no turn contains, weighted by rarity. */
  unknown: number;
  /** Share of the query's numbers and code identifiers that a passage contains. */
  literals: number;
  /** Logarithm of the number of words. */
  words: number;
  /** 1 when vectors and keywords agree on the best turn, 0.5 when they agree on its session. */
  agreement: number;
  /** 1 when the memory knows a path, commit or pull request of the query. */
  named: number;
  /** Logarithm of the number of chunks. In a large memory, some chunks are near by chance. */
  size: number;
}

/** What the gate needs to know about the memory. */
export interface GateMemory {
  turns: number;
  chunks: number;
  /**
   * How near the prompt is to turns of unrelated projects; null without vectors, and with a model for which that is
   * unknown.
   */
  cohort: number | null;
}

/** Number of the best turns to look at. */
const TURNS = 5;
/** Added to the total rarity of the query, in nats, since a turn easily contains all of one or two words. */
const MORE_RARITY = 8;
/** Length of a turn's first sentences, in characters. */
const OPENING_CHARS = 300;

/** Computes the features of the results for a prompt, best first. */
export function gateFeatures(ranked: readonly Scored[], query: QueryParts, memory: GateMemory): GateFeatures {
  const best = ranked.slice(0, TURNS);
  const total = MORE_RARITY + query.terms.reduce((sum, { rarity }) => sum + rarity, 0);
  const { numbers, identifiers } = query.literals;
  const most = (measure: (one: Scored) => number) => Math.max(0, ...best.map(measure));
  const rarities = phraseRarities(query, memory.turns);
  const hasVectors = memory.cohort !== null;
  return {
    nearness: hasVectors ? nearness(ranked) : 0,
    cohort: memory.cohort ?? 0,
    turnCoverage: most((one) => heldRarity(one, query)) / total,
    passageWords: most(({ passage }) => densestRarity(query, passage)) / total,
    opening: most(({ turn }) => rarityIn(query, turn.text.slice(0, OPENING_CHARS).toLowerCase())) / total,
    phrases: most(({ passage }) => phraseRarity(rarities, passage)),
    surprise: best.length === 0 ? 0 : Math.max(...best.map((one) => surprise(one, query))),
    unknown: unknownRarity(query) / total,
    literals: most(({ passage }) => heldShare([...numbers, ...identifiers], passage.toLowerCase())),
    words: Math.log1p(query.terms.length),
    agreement: hasVectors ? agreement(ranked) : 0,
    named: best.some(({ candidate }) => candidate.files > 0 || candidate.references > 0) ? 1 : 0,
    size: Math.log(Math.max(1, memory.chunks)),
  };
}

/** Returns the mean rarity of each phrase's words. How often they occur together is not known. */
function phraseRarities({ phrases }: QueryParts, turns: number): Map<string, number> {
  const rarity = (word: string) => rarityOf(shareOfTexts(word), 0, turns);
  return new Map(
    phrases.map((phrase) => [phrase, phrase.split(" ").reduce((sum, word) => sum + rarity(word) / 2, 0)]),
  );
}

function nearness(ranked: readonly Scored[]): number {
  const distances = ranked
    .map(({ candidate }) => plainDistance(candidate))
    .filter((distance) => distance !== null);
  return distances.length === 0 ? 0 : 1 - Math.min(...distances);
}

/** Only an enriched query has two distances. */
function plainDistance(candidate: Candidate): number | null {
  return candidate.plainDistance ?? candidate.distance;
}

function heldRarity(one: Scored, { terms }: QueryParts): number {
  const holds = holder(one);
  return terms.reduce((sum, term) => sum + (holds(term) ? term.rarity : 0), 0);
}

/**
 * Returns a test for the words of a turn. The index knows which turns contain a rare word; for a common word, the
 * text is searched.
 */
function holder({ turn }: Scored): (term: QueryParts["terms"][number]) => boolean {
  let lower: string | null = null;
  return ({ term, turnIds }) => {
    if (turnIds !== null) return turnIds.includes(turn.turnId);
    lower ??= turn.text.toLowerCase();
    return lower.includes(wordForm(term));
  };
}

function rarityIn({ terms }: QueryParts, lower: string): number {
  return terms.reduce((sum, { term, rarity }) => sum + (lower.includes(wordForm(term)) ? rarity : 0), 0);
}

/** The share of the query's words that a turn contains if it answers the query. */
const HELD_BY_ANSWER = 0.65;
/** Length of the texts for which the shares of general words hold, in characters. */
const GENERAL_CHARS = 1_500;
/** Added to the number of words, since a few words are weak evidence. */
const MORE_WORDS = 4;

function surprise(one: Scored, { terms }: QueryParts): number {
  const holds = holder(one);
  const times = Math.max(1, one.turn.text.length / GENERAL_CHARS);
  const sum = terms.reduce((sum, term) => {
    const chance = chanceOf(term.share, times);
    // A word that most turns of this length contain is no evidence either way.
    if (chance >= HELD_BY_ANSWER) return sum;
    return sum + Math.log(holds(term) ? HELD_BY_ANSWER / chance : (1 - HELD_BY_ANSWER) / (1 - chance));
  }, 0);
  return sum / (terms.length + MORE_WORDS);
}

function unknownRarity({ terms }: QueryParts): number {
  return terms.reduce((sum, { turnIds, rarity }) => sum + (turnIds?.length === 0 ? rarity : 0), 0);
}

function agreement(ranked: readonly Scored[]): number {
  const nearest = top(ranked, ({ candidate }) => -(plainDistance(candidate) ?? Infinity));
  const words = top(ranked, ({ candidate }) => candidate.chunkKeywords);
  if (!nearest || !words || words.candidate.chunkKeywords === 0) return 0;
  if (nearest.turn.turnId === words.turn.turnId) return 1;
  return nearest.turn.sessionId === words.turn.sessionId ? 0.5 : 0;
}

function top(ranked: readonly Scored[], worth: (one: Scored) => number): Scored | undefined {
  return ranked.reduce<Scored | undefined>(
    (best, one) => (!best || worth(one) > worth(best) ? one : best),
    undefined,
  );
}
