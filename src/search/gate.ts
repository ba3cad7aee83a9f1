import type { Candidate } from "./candidates.ts";
import { phraseShare } from "./coverage.ts";
import type { Scored } from "./fusion.ts";
import type { QueryParts } from "./query.ts";
import { GATE } from "./weights.ts";

/** What the gate looks at; each is 0 where nothing speaks for an answer. */
export interface GateFeatures {
  /** How near the best chunk is, `1 - distance`. */
  nearness: number;
  /** Share of the query's neighbouring words that stand so in the passage of one of the best turns. */
  phrases: number;
  /** Weighted share of the query's words that the best turn holds as a whole, as the index knows them. */
  turnCoverage: number;
  /** Weighted share of the query's words that are nowhere in the memory. */
  unknown: number;
  /**
   * Keyword score of the best chunk for each nat of the query's words, at most 1: beyond that it is made of words and
   * phrases that are everywhere.
   */
  keywordStrength: number;
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
  /** What is asked of any prompt, by the model and for the memory's size, in logits; as a negative number. */
  base: number;
  /** Each feature's share in the decision, in logits; with `base` they add up to the probability's. */
  contributions: Record<keyof GateFeatures, number>;
}

/**
 * What is asked in addition for the size of the memory, in logits: where little is stored, little fits by chance, up to
 * a usual size; but next to nothing tells apart what is in a handful of chunks.
 */
export function memoryCaution(chunks: number): number {
  return handfulCaution(chunks) + GATE.size * memorySize(chunks);
}

/** The part of `memoryCaution` for a handful of chunks, which is set by hand. */
export function handfulCaution(chunks: number): number {
  return GATE.handful / Math.max(1, chunks);
}

/** Natural logarithm of the memory's size as a share of a usual one's: 0 for that and any larger one. */
export function memorySize(chunks: number): number {
  return Math.log(Math.min(GATE.usualChunks, Math.max(GATE.fewChunks, chunks)) / GATE.usualChunks);
}

/** A query of one or two words is covered soon: shares are taken as if it had so many nats more. */
const MORE_WEIGHT = 5;

/** Weighs what was found for a prompt, best first, against what is found for any prompt. */
export function gateFeatures(ranked: readonly Scored[], query: QueryParts): GateFeatures {
  const texts = ranked.slice(0, GATE.turns).map(({ passage }) => passage);
  const distances = ranked
    .map(({ candidate }) => plainDistance(candidate))
    .filter((distance) => distance !== null);
  const best = distances.length === 0 ? null : Math.min(...distances);
  const total = MORE_WEIGHT + query.terms.reduce((sum, term) => sum + term.weight, 0);
  return {
    nearness: best === null ? 0 : 1 - best,
    phrases: Math.max(0, ...texts.map((text) => phraseShare(query, text))),
    turnCoverage: bestTurnWeight(ranked, query) / total,
    unknown: unknownWeight(query) / total,
    keywordStrength: Math.min(1, bestKeywords(ranked) / total),
    words: Math.log1p(query.terms.length),
    agreement: agreement(ranked),
    named: ranked.some(({ candidate }) => candidate.files > 0 || candidate.references > 0) ? 1 : 0,
  };
}

/** How sure the gate must be; `off` lets everything through. */
export type Strictness = keyof typeof GATE.thresholds;

/** Decides by a logistic model, which asks more or less of memories of different sizes. */
export function decide(
  features: GateFeatures,
  chunks: number,
  strictness: Strictness = "normal",
): GateDecision {
  const threshold = GATE.thresholds[strictness];
  const base = GATE.bias - memoryCaution(chunks);
  const contributions = {
    nearness: GATE.nearness * features.nearness,
    phrases: GATE.phrases * features.phrases,
    turnCoverage: GATE.turnCoverage * features.turnCoverage,
    unknown: GATE.unknown * features.unknown,
    keywordStrength: GATE.keywordStrength * features.keywordStrength,
    words: GATE.words * features.words,
    agreement: GATE.agreement * features.agreement,
    named: GATE.named * features.named,
  };
  const logit = Object.values(contributions).reduce((sum, part) => sum + part, base);
  const probability = 1 / (1 + Math.exp(-logit));
  return {
    open: probability >= threshold,
    probability,
    threshold,
    base,
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

function bestKeywords(ranked: readonly Scored[]): number {
  return ranked.reduce((most, { candidate }) => Math.max(most, candidate.chunkKeywords), 0);
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
