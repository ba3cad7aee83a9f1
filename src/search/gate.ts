import type { Candidate } from "./candidates.ts";
import { coveredWeight, knownPhrases, promptOf } from "./coverage.ts";
import type { DistanceSpread, Scored } from "./fusion.ts";
import type { QueryParts } from "./query.ts";
import { GATE } from "./weights.ts";

/** What the gate looks at; each is 0 where nothing speaks for an answer. */
export interface GateFeatures {
  /** Standard deviations between the middle of the query's own distances and the best one. */
  standing: number;
  /** How near the best chunk is, `1 - distance`. */
  nearness: number;
  /** Weighted share of the query's words that the chunks of one of the best turns hold, unknown words counting in full. */
  coverage: number;
  /** Weight of those words, in nats, levelled off: one rare word says more than many common ones. */
  rareWords: number;
  /** Those words as so many that are in one turn only, levelled off: holds for memories of every size. */
  rareUnits: number;
  /** Weighted share of the query's words that the prompt of one of the best turns holds. */
  promptCoverage: number;
  /** Weighted share of those of the query's words that are known at all. */
  knownCoverage: number;
  /** Share of the query's neighbouring words that stand so there. */
  phrases: number;
  /** Weighted share of the query's words that the best turn holds as a whole, as the index knows them. */
  turnCoverage: number;
  /** Weighted share of the query's words that are nowhere in the memory. */
  unknown: number;
  /** Keyword score of the best chunk for each nat of the query's words. */
  keywordStrength: number;
  /** How far the best chunk's keyword score is above the tenth turn's, as a share of it. */
  keywordLead: number;
  /** Logarithm of the number of words. */
  words: number;
  /** 1 when vectors and keywords agree on the best turn or session. */
  agreement: number;
  /** A path, commit or pull request of the query is known. */
  named: number;
}

export interface GateDecision {
  open: boolean;
  /** How likely the memory holds what the prompt is about, by the fitted model. */
  probability: number;
  threshold: number;
  features: GateFeatures;
  /** Each feature's share in the decision, in logits. */
  contributions: Record<keyof GateFeatures, number>;
}

/**
 * What is asked in addition for the size of the memory, in logits: words are never rare where there are few turns, so
 * less evidence is to be had there; but next to nothing tells apart what is in a handful of turns.
 */
export function memoryCaution(turns: number): number {
  const size = Math.log(Math.max(1, turns) / GATE.usualTurns);
  return GATE.smallMemory / Math.max(1, turns) + (size > 0 ? GATE.largeMemory : GATE.fewTurns) * size;
}

/** For each of the best turns, the text of the chunks by which it was found. */
export type GateTexts = readonly string[];

/** A query of one or two words is covered soon: shares are taken as if it had so many nats and phrases more. */
const MORE_WEIGHT = 5;
const MORE_PHRASES = 2;

/** Weighs what was found for a prompt against what is found for any prompt. */
export function gateFeatures(
  ranked: readonly Scored[],
  query: QueryParts,
  spread: DistanceSpread | null,
  texts: GateTexts,
): GateFeatures {
  const distances = ranked
    .map(({ candidate }) => plainDistance(candidate))
    .filter((distance) => distance !== null);
  const best = distances.length === 0 ? null : Math.min(...distances);
  const covered = Math.max(0, ...texts.map((text) => coveredWeight(query, text)));
  const total = MORE_WEIGHT + query.terms.reduce((sum, term) => sum + term.weight, 0);
  const prompts = ranked.slice(0, GATE.turns).map(({ turn }) => promptOf(turn.fullText));
  return {
    standing: best === null || !spread?.deviation ? 0 : (spread.median - best) / spread.deviation,
    nearness: best === null ? 0 : 1 - best,
    coverage: covered / total,
    rareWords: Math.log1p(covered),
    rareUnits: Math.log1p(covered / query.rarest),
    promptCoverage: Math.max(0, ...prompts.map((prompt) => coveredWeight(query, prompt))) / total,
    knownCoverage: covered / (total - unknownWeight(query)),
    phrases:
      Math.max(0, ...texts.map((text) => knownPhrases(query, text))) / (MORE_PHRASES + query.phrases.length),
    turnCoverage: bestTurnWeight(ranked, query) / total,
    unknown: unknownWeight(query) / total,
    keywordStrength: keywords(ranked, 0) / total,
    keywordLead: keywords(ranked, 0) === 0 ? 0 : 1 - keywords(ranked, 9) / keywords(ranked, 0),
    words: Math.log1p(query.terms.length),
    agreement: agreement(ranked),
    named: ranked.some(({ candidate }) => candidate.files > 0 || candidate.references > 0) ? 1 : 0,
  };
}

/**
 * Decides by a logistic model. More is asked of a handful of turns, in which everything stands out, and of a large
 * memory, in which something always fits.
 */
export function decide(features: GateFeatures, turns: number): GateDecision {
  const caution = memoryCaution(turns);
  const contributions = {
    standing: GATE.standing * features.standing,
    nearness: GATE.nearness * features.nearness,
    coverage: GATE.coverage * features.coverage,
    rareWords: GATE.rareWords * features.rareWords,
    rareUnits: GATE.rareUnits * features.rareUnits,
    promptCoverage: GATE.promptCoverage * features.promptCoverage,
    knownCoverage: GATE.knownCoverage * features.knownCoverage,
    phrases: GATE.phrases * features.phrases,
    turnCoverage: GATE.turnCoverage * features.turnCoverage,
    unknown: GATE.unknown * features.unknown,
    keywordStrength: GATE.keywordStrength * features.keywordStrength,
    keywordLead: GATE.keywordLead * features.keywordLead,
    words: GATE.words * features.words,
    agreement: GATE.agreement * features.agreement,
    named: GATE.named * features.named,
  };
  const logit = Object.values(contributions).reduce((sum, part) => sum + part, GATE.bias) - caution;
  const probability = 1 / (1 + Math.exp(-logit));
  return {
    open: probability >= GATE.threshold,
    probability,
    threshold: GATE.threshold,
    features,
    contributions,
  };
}

function bestTurnWeight(ranked: readonly Scored[], { terms }: QueryParts): number {
  const weights = ranked
    .slice(0, GATE.turns)
    .map(({ turn }) =>
      terms.reduce(
        (sum, { turnIds, weight }) => sum + (turnIds === null || turnIds.includes(turn.turnId) ? weight : 0),
        0,
      ),
    );
  return Math.max(0, ...weights);
}

function unknownWeight({ terms }: QueryParts): number {
  return terms.reduce((sum, { turnIds, weight }) => sum + (turnIds?.length === 0 ? weight : 0), 0);
}

function keywords(ranked: readonly Scored[], place: number): number {
  return ranked.map(({ candidate }) => candidate.chunkKeywords).sort((a, b) => b - a)[place] ?? 0;
}

/** Only an enriched query has distances of two kinds. */
function plainDistance(candidate: Candidate): number | null {
  return candidate.plainDistance ?? candidate.distance;
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
