import { folded } from "../text/fold.ts";
import type { Candidate } from "./candidates.ts";
import { chanceOf, shareOfTexts } from "./common-words.ts";
import { densest, phraseRarity, prepareQuery, type Sought } from "./coverage.ts";
import type { Scored } from "./fusion.ts";
import { heldShare } from "./literals.ts";
import { type QueryParts, wordRarity } from "./query.ts";
import { GATE_MODELS } from "./weights.ts";
import { wordForm } from "./word-form.ts";

/** Features of the gate's model. */
export interface GateFeatures {
  /** Nearness of the best chunk, `1 - distance`; 0 without vectors. */
  nearness: number;
  /** Nearness of the prompt to turns of unrelated projects, a cosine; 0 without vectors. */
  cohort: number;
  /** Largest share of the query's words within a sentence or two of a passage, weighted by rarity. */
  passageWords: number;
  /** Share of adjacent word pairs of the query that are adjacent in a passage. */
  phrases: number;
  /**
   * Surprise at the words of one of the best turns: the mean log ratio per word of their likelihoods if the turn answers the
   * query and by chance, given its length.
   */
  surprise: number;
  /** Share of the query's words that no turn contains, weighted by rarity. */
  unknown: number;
  /** Share of the query's numbers and code identifiers that a passage contains. */
  literals: number;
  /** Keyword score of the best turn per nat of the query's rarity. */
  turnKeywords: number;
  /** Share of the best turns in the session of the first. Chance finds are spread over sessions. */
  concentration: number;
  /** Logarithm of the number of chunks. In a large memory, some chunks are near by chance. */
  size: number;
}

/** Facts about the memory for the gate. */
export interface GateMemory {
  turns: number;
  chunks: number;
  /** Nearness of the prompt to turns of unrelated projects; null without vectors, and with an uncalibrated model. */
  cohort: number | null;
  /** Model of its vectors; the built-in one when absent. */
  model?: string | null;
}

/** Number of best turns to examine. */
const TURNS = 5;
/** Added to the total rarity of the query, in nats, because a turn easily contains all of one or two words. */
const MORE_RARITY = 8;

/** Caches the measurements of each result, which may be judged several times. */
export class MeasureCache {
  readonly #query: QueryParts;
  readonly #sought: Sought;
  readonly #literals: readonly string[];
  readonly #phrases: ReadonlyMap<string, number>;
  readonly #known = new Map<Scored, Measured>();

  /** `turns` is the number of turns in the memory. */
  constructor(query: QueryParts, turns: number) {
    const { numbers, identifiers } = query.literals;
    this.#query = query;
    this.#sought = prepareQuery(query);
    this.#literals = [...numbers, ...identifiers];
    this.#phrases = phraseRarities(query, turns);
  }

  of(scored: Scored): Measured {
    const known = this.#known.get(scored);
    if (known) return known;
    const measured = {
      words: densest(this.#sought, "rarity", scored.passage),
      phrases: phraseRarity(this.#phrases, this.#sought, scored.passage),
      surprise: surprise(scored, this.#query),
      literals: this.#literals.length === 0 ? 0 : heldShare(this.#literals, scored.passage.toLowerCase()),
    };
    this.#known.set(scored, measured);
    return measured;
  }
}

type Measured = Record<"words" | "phrases" | "surprise" | "literals", number>;

/** Computes the features of the results for a prompt, best first. */
export function gateFeatures(
  ranked: readonly Scored[],
  query: QueryParts,
  memory: GateMemory,
  measures: MeasureCache = new MeasureCache(query, memory.turns),
): GateFeatures {
  const best = ranked.slice(0, TURNS);
  const total = totalRarity(query);
  const measured = best.map((scored) => measures.of(scored));
  const maxOf = (name: keyof Measured) => Math.max(0, ...measured.map((each) => each[name]));
  const hasVectors = memory.cohort !== null;
  return {
    nearness: hasVectors ? nearness(ranked) : 0,
    cohort: memory.cohort ?? 0,
    passageWords: maxOf("words") / total,
    phrases: maxOf("phrases"),
    surprise: best.length === 0 ? 0 : Math.max(...measured.map((each) => each.surprise)),
    unknown: unknownShare(query),
    literals: maxOf("literals"),
    concentration:
      best.filter(({ turn }) => turn.sessionId === best[0]?.turn.sessionId).length / Math.max(1, best.length),
    turnKeywords: Math.max(0, ...best.map(({ candidate }) => candidate.turnKeywords)) / total,
    size: Math.log(Math.max(1, memory.chunks)),
  };
}

/** Returns the mean rarity of each phrase's words, because the frequency of the phrase is unknown. */
function phraseRarities({ phrases }: QueryParts, turns: number): Map<string, number> {
  const rarity = (word: string) => wordRarity(shareOfTexts(word), 0, turns);
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

/** Returns the distance to the query as typed. Only an enriched query has two distances. */
function plainDistance(candidate: Candidate): number | null {
  return candidate.plainDistance ?? candidate.distance;
}

/** Returns a test for the words of a turn. The index knows the turns of a rare word; for a common word, the text is searched. */
function wordTest({ turn }: Scored): (term: QueryParts["terms"][number]) => boolean {
  let lower: string | null = null;
  return ({ term, turnIds }) => {
    if (turnIds !== null) return turnIds.includes(turn.turnId);
    lower ??= folded(turn.text);
    return lower.includes(wordForm(term));
  };
}

/** Share of the query's words in a turn that answers it. */
const HELD_BY_ANSWER = 0.65;
/** Length of the texts behind the shares of general words, in characters. */
const GENERAL_CHARS = 1_500;
/** Added to the number of words, because a few words are weak evidence. */
const MORE_WORDS = 4;

function surprise(scored: Scored, { terms }: QueryParts): number {
  const holds = wordTest(scored);
  const times = Math.max(1, scored.turn.text.length / GENERAL_CHARS);
  const sum = terms.reduce((sum, term) => {
    const chance = chanceOf(term.share, times);
    // A word that most turns of this length contain is no evidence either way.
    if (chance >= HELD_BY_ANSWER) return sum;
    return sum + Math.log(holds(term) ? HELD_BY_ANSWER / chance : (1 - HELD_BY_ANSWER) / (1 - chance));
  }, 0);
  return sum / (terms.length + MORE_WORDS);
}

/** Returns the total rarity of the query's words in nats, plus an allowance for short queries. */
export function totalRarity({ terms }: QueryParts): number {
  return MORE_RARITY + terms.reduce((sum, { rarity }) => sum + rarity, 0);
}

/** Returns the share of the query's words that no turn contains, weighted by rarity. */
export function unknownShare(query: QueryParts): number {
  const unknown = query.terms.reduce(
    (sum, { turnIds, rarity }) => sum + (turnIds?.length === 0 ? rarity : 0),
    0,
  );
  return unknown / totalRarity(query);
}

/** Basis of a decision: vectors and words, or words alone when the best turn has no vector, or one of another model. */
export type GateKind = "vectors" | "words";

export interface GateDecision {
  open: boolean;
  kind: GateKind;
  /** Probability that the memory answers the prompt, by the fitted model. */
  probability: number;
  threshold: number;
  features: GateFeatures;
  /** The model's bias in logits, a negative number. */
  base: number;
  /** Contribution of each feature in logits. With `base`, they add up to the logit of the probability. */
  contributions: Record<keyof GateFeatures, number>;
}

/** Strictness of the gate. `off` always opens it. */
export type Strictness = keyof typeof GATE_MODELS.thresholds;

/**
 * Decides whether the results for a prompt, best first, are worth showing. `measures` belongs to the same query, for results that
 * are judged more than once.
 */
export function judgeHits(
  ranked: readonly Scored[],
  query: QueryParts,
  memory: GateMemory,
  strictness: Strictness = "normal",
  measures?: MeasureCache,
): GateDecision {
  const hasVector = memory.cohort !== null && (ranked[0]?.candidate.distance ?? null) !== null;
  const known = hasVector ? memory : { ...memory, cohort: null };
  return decide(gateFeatures(ranked, query, known, measures), hasVector ? "vectors" : "words", strictness);
}

/** Decides by the logistic model of this kind. */
export function decide(
  features: GateFeatures,
  kind: GateKind,
  strictness: Strictness = "normal",
): GateDecision {
  const threshold = GATE_MODELS.thresholds[strictness];
  const { bias: base, ...weights } = GATE_MODELS[kind];
  const contributions = { ...features };
  let logit: number = base;
  for (const name of Object.keys(weights) as (keyof GateFeatures)[]) {
    contributions[name] = weights[name] * features[name];
    logit += contributions[name];
  }
  const probability = 1 / (1 + Math.exp(-logit));
  return { open: probability >= threshold, kind, probability, threshold, base, features, contributions };
}
