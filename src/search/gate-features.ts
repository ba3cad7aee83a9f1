import { wordForm } from "./background/word-form.ts";
import { chanceOf, shareOfTexts } from "./background/words.ts";
import type { Candidate } from "./candidates.ts";
import { densestRarity, phraseRarity } from "./coverage.ts";
import type { Scored } from "./fusion.ts";
import { heldShare } from "./literals.ts";
import { type QueryParts, rarityOf } from "./query.ts";

/** What the gate looks at. */
export interface GateFeatures {
  /** How near the best chunk is, `1 - distance`; 0 without vectors. */
  nearness: number;
  /** How near the prompt is to turns of no project, a cosine; 0 without vectors. */
  cohort: number;
  /** Share of the query's words that one of the best turns holds, each counted by its rarity. */
  turnCoverage: number;
  /** The same of a sentence or two of a passage. */
  passageWords: number;
  /** The same of the first sentences of a turn, which say what it is about. */
  opening: number;
  /** The same of the query's neighbouring words, where they stand so in a passage. */
  phrases: number;
  /**
   * How much likelier the query's words are in one of the best turns when it answers than by chance, given its length; the
   * logarithm for each word.
   */
  surprise: number;
  /** Share of the query's words that are nowhere in the memory, by rarity. */
  unknown: number;
  /** Share of the query's numbers and names from code that a passage holds. */
  literals: number;
  /** Logarithm of the number of words. */
  words: number;
  /** 1 when vectors and keywords agree on the best turn, a half for its session. */
  agreement: number;
  /** 1 when a path, commit or pull request of the query is known. */
  named: number;
  /** Logarithm of the number of chunks: in a large memory more lies near by chance. */
  size: number;
}

/** What the gate must know of the memory. */
export interface GateMemory {
  turns: number;
  chunks: number;
  /** How near the prompt is to turns of no project; null without vectors, and with a model for which it is not known. */
  cohort: number | null;
}

/** How many of the best turns are looked at. */
const TURNS = 5;
/** A query of one or two words is covered soon: shares are taken as if it had so many nats more. */
const MORE_RARITY = 8;
/** The first sentences of a turn, characters. */
const OPENING_CHARS = 300;

/** Measures what was found for a prompt, best first. */
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

/** The mean rarity of each phrase's words: no memory tells how often they stand together. */
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

/** Only an enriched query has distances of two kinds. */
function plainDistance(candidate: Candidate): number | null {
  return candidate.plainDistance ?? candidate.distance;
}

function heldRarity(one: Scored, { terms }: QueryParts): number {
  const holds = holder(one);
  return terms.reduce((sum, term) => sum + (holds(term) ? term.rarity : 0), 0);
}

/** Which words a turn holds: the index knows where rare ones are, common ones are looked for. */
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

/** A turn that answers holds this share of the query's words. */
const HELD_BY_ANSWER = 0.65;
/** Length that the shares of general texts are for, characters. */
const GENERAL_CHARS = 1_500;
/** A query of few words surprises less. */
const MORE_WORDS = 4;

function surprise(one: Scored, { terms }: QueryParts): number {
  const holds = holder(one);
  const times = Math.max(1, one.turn.text.length / GENERAL_CHARS);
  const sum = terms.reduce((sum, term) => {
    const chance = chanceOf(term.share, times);
    // What is in most turns of this length says nothing either way.
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
