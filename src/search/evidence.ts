import type { StoredTurn } from "../store/types.ts";
import type { Candidate } from "./candidates.ts";
import { coveredWeight, densestWeight, phraseShare, promptOf } from "./coverage.ts";
import { heldShare } from "./literals.ts";
import type { QueryParts } from "./query.ts";

/** How the distances of a query to the memory are spread. */
export interface DistanceSpread {
  median: number;
  /** Root of the mean square difference to the median. */
  deviation: number;
}

/** What speaks for a candidate: each piece between 0 and 1, but for `length`, which is a logarithm. */
export interface Evidence {
  /** How near its best chunk is, from the middle of all distances (0) to the nearest candidate (1). */
  distance: number;
  /** The same for its second best chunk. */
  secondDistance: number;
  /** Keyword score of its best chunk and of the turn as a whole, as shares of the best one's. */
  chunkKeywords: number;
  turnKeywords: number;
  /** Shares of the query's words and of its phrases that the turn's own prompt holds: it says what the turn is about. */
  promptWords: number;
  promptPhrases: number;
  /** Share of the query's words that stand within a sentence or two of its passage. */
  passageWords: number;
  /** Shares of the query's numbers and of its names from code that its passage holds. */
  numbers: number;
  identifiers: number;
  /** Natural logarithm of the turn's length in 1,000 characters: long turns hold a little of everything. */
  length: number;
  /** It touched a path of the query; it has a commit or pull request of the query. */
  file: number;
  reference: number;
  /** Its session worked on the same files as the current one. */
  access: number;
  /** It touched files that the current session touched last. */
  shared: number;
  /** Newest against oldest candidate. */
  recency: number;
}

/** A candidate with its turn and its passage: the text of the chunks by which it was found. */
export interface Known {
  candidate: Candidate;
  turn: StoredTurn;
  passage: string;
}

/** A second chunk that is not among the nearest counts as this share of the first one's nearness. */
const UNSEEN_SECOND = 0.7;

/** Words of a query at which keywords count for half: one or two words say little. */
const FEW_WORDS = 3;

/** Returns what speaks for each candidate, measured against all of them. */
export function evidenceOf(
  known: readonly Known[],
  query: QueryParts,
  spread: DistanceSpread | null,
): Evidence[] {
  const scale = scaleOf(known, query, spread);
  return known.map((one) => ({ ...ofWords(one, query, scale), ...ofPlace(one, scale) }));
}

interface Scale {
  nearness: (distance: number | null) => number;
  /** How much words count: little for a query of few. */
  trust: number;
  /** Weight of all words of the query. */
  words: number;
  chunkKeywords: number;
  turnKeywords: number;
  hints: number;
  shared: number;
  recency: (createdAt: string | null) => number;
}

function scaleOf(known: readonly Known[], query: QueryParts, spread: DistanceSpread | null): Scale {
  const words = query.terms.length;
  const distances = known.map(({ candidate }) => candidate.distance).filter((d) => d !== null);
  return {
    nearness: nearnessOf(distances, spread),
    trust: words / (words + FEW_WORDS),
    words: greatest([query.terms.reduce((sum, { weight }) => sum + weight, 0)]),
    chunkKeywords: greatest(known.map(({ candidate }) => candidate.chunkKeywords)),
    turnKeywords: greatest(known.map(({ candidate }) => candidate.turnKeywords)),
    hints: query.fileHints.length,
    shared: greatest(known.map(({ candidate }) => Math.log1p(candidate.shared))),
    recency: recencyOf(known.map(({ turn }) => turn.createdAt).filter((time) => time !== null)),
  };
}

function ofWords({ candidate, turn, passage }: Known, query: QueryParts, scale: Scale) {
  const prompt = promptOf(turn);
  const { numbers, identifiers } = query.literals;
  const lower = passage.toLowerCase();
  return {
    chunkKeywords: (scale.trust * candidate.chunkKeywords) / scale.chunkKeywords,
    turnKeywords: (scale.trust * candidate.turnKeywords) / scale.turnKeywords,
    promptWords: (scale.trust * coveredWeight(query, prompt)) / scale.words,
    promptPhrases: phraseShare(query, prompt),
    passageWords: densestWeight(query, lower) / scale.words,
    numbers: heldShare(numbers, lower),
    identifiers: heldShare(identifiers, lower),
    length: Math.log(1 + turn.text.length / 1_000),
  };
}

function ofPlace({ candidate, turn }: Known, scale: Scale) {
  const distance = scale.nearness(candidate.distance);
  const { secondDistance } = candidate;
  return {
    distance,
    secondDistance: secondDistance === null ? UNSEEN_SECOND * distance : scale.nearness(secondDistance),
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

function recencyOf(times: readonly string[]): Scale["recency"] {
  const sorted = [...new Set(times)].sort();
  const rank = new Map(sorted.map((time, i) => [time, sorted.length > 1 ? i / (sorted.length - 1) : 1]));
  return (createdAt) => (createdAt === null ? 0 : (rank.get(createdAt) ?? 0));
}

function greatest(values: readonly number[]): number {
  return values.reduce((max, value) => Math.max(max, value), Number.EPSILON);
}
