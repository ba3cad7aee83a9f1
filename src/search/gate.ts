import type { Candidate } from "./candidates.ts";
import type { DistanceSpread, Scored } from "./fusion.ts";
import type { QueryParts } from "./query.ts";
import { GATE } from "./weights.ts";

/** What the gate looks at; each is 0 where nothing speaks for an answer. */
export interface GateFeatures {
  /** Standard deviations between the middle of the query's own distances and the best one. */
  standing: number;
  /** How near the best chunk is, `1 - distance`. */
  nearness: number;
  /** Weighted share of the query's words that the best turns' chunks hold, unknown words counting in full. */
  coverage: number;
  /** Weight of those words, in nats, levelled off: one rare word says more than many common ones. */
  rareWords: number;
  /** Share of the query's neighbouring words that stand so in the best turns. */
  phrases: number;
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

/** Texts in which the query's words are looked for: the best chunks of the best turns. */
export interface GateTexts {
  chunks: readonly string[];
}

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
  const covered = coveredWeight(query, texts);
  const total = query.terms.reduce((sum, term) => sum + term.weight, 0);
  return {
    standing: best === null || !spread?.deviation ? 0 : (spread.median - best) / spread.deviation,
    nearness: best === null ? 0 : 1 - best,
    coverage: total === 0 ? 0 : covered / total,
    rareWords: Math.log1p(covered),
    phrases: phraseShare(query, texts),
    agreement: agreement(ranked),
    named: ranked.some(({ candidate }) => candidate.files > 0 || candidate.references > 0) ? 1 : 0,
  };
}

/** Decides by a logistic model; with few turns everything stands out, so more is asked of a small memory. */
export function decide(features: GateFeatures, turns: number): GateDecision {
  const caution = GATE.smallMemory / Math.max(1, turns);
  const contributions = {
    standing: GATE.standing * features.standing,
    nearness: GATE.nearness * features.nearness,
    coverage: GATE.coverage * features.coverage,
    rareWords: GATE.rareWords * features.rareWords,
    phrases: GATE.phrases * features.phrases,
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

/** Only an enriched query has distances of two kinds. */
function plainDistance(candidate: Candidate): number | null {
  return candidate.plainDistance ?? candidate.distance;
}

/** A word counts for the share of its letters by which it is found: endings differ. */
function coveredWeight(query: QueryParts, { chunks }: GateTexts): number {
  const text = chunks.join("\n").toLowerCase();
  return query.terms.reduce((sum, { term, weight }) => sum + (text.includes(stemOf(term)) ? weight : 0), 0);
}

function phraseShare({ phrases }: QueryParts, { chunks }: GateTexts): number {
  if (phrases.length === 0) return 0;
  const text = chunks
    .join("\n")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, " ");
  return phrases.filter((phrase) => text.includes(stemOf(phrase))).length / phrases.length;
}

/** Enough of a word to find its other forms: "tested" and "tests" for "testing". */
function stemOf(word: string): string {
  return word.length > 5 ? word.replace(/(?:ings?|ed|e?s|ly|ions?)$/, "") : word.replace(/s$/, "");
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
