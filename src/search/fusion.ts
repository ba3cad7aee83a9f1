import type { StoredTurn } from "../store/store.ts";
import type { Candidate } from "./candidates.ts";
import { coveredWeight, promptOf } from "./coverage.ts";
import type { QueryParts } from "./query.ts";
import { FUSION } from "./weights.ts";

/** How the distances of a query to the memory are spread. */
export interface DistanceSpread {
  median: number;
  /** Root of the mean square difference to the median. */
  deviation: number;
}

/** A candidate with its place in the ranking and what it is made of. */
export interface Scored {
  candidate: Candidate;
  turn: StoredTurn;
  score: number;
  evidence: Evidence;
}

/** Each piece between 0 and 1, 1 being the best candidate's, except `length`, which is a logarithm. */
export interface Evidence {
  distance: number;
  secondDistance: number;
  chunkKeywords: number;
  turnKeywords: number;
  promptWords: number;
  length: number;
  file: number;
  reference: number;
  access: number;
  shared: number;
  recency: number;
}

/** A second chunk that is not among the nearest counts as this share of the first one's nearness. */
const UNSEEN_SECOND = 0.7;

/** Ranks candidates, best first, by the weighted sum of their evidence; each one's turn must be given. */
export function fuse(
  candidates: Iterable<Candidate>,
  turns: ReadonlyMap<number, StoredTurn>,
  query: QueryParts,
  spread: DistanceSpread | null,
): Scored[] {
  const known = [...candidates].flatMap((candidate) => {
    const turn = turns.get(candidate.turnId);
    return turn === undefined ? [] : [{ candidate, turn }];
  });
  const scale = scaleOf(known, query, spread);
  return known
    .map(({ candidate, turn }) => {
      const evidence = evidenceOf(candidate, turn, scale);
      return { candidate, turn, evidence, score: scoreOf(evidence) };
    })
    .sort((a, b) => b.score - a.score || b.turn.turnId - a.turn.turnId);
}

function scoreOf(evidence: Evidence): number {
  return (
    FUSION.distance * evidence.distance +
    FUSION.secondDistance * evidence.secondDistance +
    FUSION.chunkKeywords * evidence.chunkKeywords +
    FUSION.turnKeywords * evidence.turnKeywords +
    FUSION.promptWords * evidence.promptWords +
    FUSION.length * evidence.length +
    FUSION.file * evidence.file +
    FUSION.reference * evidence.reference +
    FUSION.access * evidence.access +
    FUSION.shared * evidence.shared +
    FUSION.recency * evidence.recency
  );
}

interface Scale {
  nearness: (distance: number | null) => number;
  /** How much keywords count: little for a query of few words. */
  trust: number;
  chunkKeywords: number;
  turnKeywords: number;
  /** Share of the query's words, by weight, that a prompt holds. */
  promptWords: (fullText: string) => number;
  hints: number;
  shared: number;
  recency: (createdAt: string | null) => number;
}

function scaleOf(
  known: readonly { candidate: Candidate; turn: StoredTurn }[],
  query: QueryParts,
  spread: DistanceSpread | null,
): Scale {
  const words = query.terms.length;
  return {
    nearness: nearnessOf(
      known.map(({ candidate }) => candidate.distance).filter((d) => d !== null),
      spread,
    ),
    trust: words / (words + FUSION.fewWords),
    chunkKeywords: greatest(known.map(({ candidate }) => candidate.chunkKeywords)),
    turnKeywords: greatest(known.map(({ candidate }) => candidate.turnKeywords)),
    promptWords: promptWordsOf(query),
    hints: query.fileHints.length,
    shared: greatest(known.map(({ candidate }) => Math.log1p(candidate.shared))),
    recency: recencyOf(known.map(({ turn }) => turn.createdAt).filter((time) => time !== null)),
  };
}

function evidenceOf(candidate: Candidate, turn: StoredTurn, scale: Scale): Evidence {
  const distance = scale.nearness(candidate.distance);
  return {
    distance,
    secondDistance:
      candidate.secondDistance === null ? UNSEEN_SECOND * distance : scale.nearness(candidate.secondDistance),
    chunkKeywords: (scale.trust * candidate.chunkKeywords) / scale.chunkKeywords,
    turnKeywords: (scale.trust * candidate.turnKeywords) / scale.turnKeywords,
    promptWords: scale.trust * scale.promptWords(turn.fullText),
    length: Math.log(1 + turn.fullText.length / 1_000),
    file: candidate.files / Math.max(1, scale.hints),
    reference: Math.min(1, candidate.references),
    access: candidate.accessRank === null ? 0 : 1 / (1 + candidate.accessRank),
    shared: Math.log1p(candidate.shared) / scale.shared,
    recency: scale.recency(turn.createdAt),
  };
}

function nearnessOf(distances: readonly number[], spread: DistanceSpread | null): Scale["nearness"] {
  const best = Math.min(...distances);
  const middle = spread?.median ?? Math.max(...distances);
  const range = middle - best;
  if (!(range > 0)) return (distance) => (distance !== null && distance <= best ? 1 : 0);
  return (distance) => (distance === null ? 0 : Math.max(0, (middle - distance) / range));
}

function promptWordsOf(query: QueryParts): Scale["promptWords"] {
  const total = query.terms.reduce((sum, { weight }) => sum + weight, 0);
  return (fullText) => (total === 0 ? 0 : coveredWeight(query, promptOf(fullText)) / total);
}

function recencyOf(times: readonly string[]): Scale["recency"] {
  const sorted = [...new Set(times)].sort();
  const rank = new Map(sorted.map((time, i) => [time, sorted.length > 1 ? i / (sorted.length - 1) : 1]));
  return (createdAt) => (createdAt === null ? 0 : (rank.get(createdAt) ?? 0));
}

function greatest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), Number.EPSILON);
}
