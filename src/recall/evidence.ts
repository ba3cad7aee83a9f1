import type { StoredTurn } from "../store/stored.ts";
import type { Candidate } from "./candidates.ts";
import { coveredWeight, densest, phraseShare, prepareQuery, type Sought, turnPrompt } from "./coverage.ts";
import { heldShare } from "./literals.ts";
import type { QueryParts } from "./query.ts";
import { turnLength } from "./read-to-rank.ts";

/** The distribution of a query's distances to the memory. */
export interface DistanceSpread {
  median: number;
  /** Root mean square difference from the median. */
  deviation: number;
}

/** The evidence for a candidate. Each value is between 0 and 1, except `length`, which is a logarithm. */
export interface Evidence {
  /** Nearness of its best chunk: 0 at the median of all distances, 1 for the nearest candidate. */
  distance: number;
  /** Nearness of its second best chunk on the same scale. */
  secondDistance: number;
  /** Keyword scores of its best chunk and of the whole turn, as shares of the best candidate's. */
  chunkKeywords: number;
  turnKeywords: number;
  /** Shares of the query's words and phrases in the turn's prompt, which names the turn's subject. */
  promptWords: number;
  promptPhrases: number;
  /** Share of the query's words within a sentence or two of the passage. */
  passageWords: number;
  /** Shares of the query's numbers and code identifiers in the passage. */
  numbers: number;
  identifiers: number;
  /** Natural logarithm of the turn's length in 1,000 characters. Long turns contain a little of everything. */
  length: number;
  /** 1 if the turn touched a path of the query; 1 if it has a commit or pull request of the query. */
  file: number;
  reference: number;
  /** Similarity of its session's files to those of the current one. */
  access: number;
  /** Share of the current session's last files that it touched. */
  shared: number;
  /** 0 for the oldest candidate, 1 for the newest. */
  recency: number;
}

/** A candidate with its turn and its passage: the text of the chunks by which it was found. */
export interface KnownCandidate {
  candidate: Candidate;
  turn: StoredTurn;
  passage: string;
}

/** Share of the first chunk's value for a second chunk that is not among the nearest. */
const UNSEEN_SECOND = 0.7;

/**
 * Minimum share of the query's words in the best passage or prompt. Below it, the query uses other words than the memory, so
 * matching words may be chance and count less.
 */
const SAME_WORDS = 0.7;

/** Number of query words at which keywords count half. One or two words say little. */
const FEW_WORDS = 3;

/** Returns the evidence for each candidate, relative to all candidates. */
export function gatherEvidence(
  known: readonly KnownCandidate[],
  query: QueryParts,
  spread: DistanceSpread | null,
): Evidence[] {
  const scale = scaleOf(known, query, spread);
  const words = known.map((each) => ofWords(each, query, scale));
  const held = greatest(words.flatMap(({ passageWords, promptWords }) => [passageWords, promptWords]));
  const isMeasured = known.some(({ candidate }) => candidate.distance !== null);
  const share = isMeasured ? Math.min(1, held / SAME_WORDS) : 1;
  return known.flatMap((each, at) => {
    const own = words[at];
    return own === undefined ? [] : [{ ...asFarAs(share, own), ...ofPlace(each, scale) }];
  });
}

/** Reduces the weight of words to this share. */
function asFarAs(share: number, words: Words): Words {
  return {
    ...words,
    chunkKeywords: share * words.chunkKeywords,
    turnKeywords: share * words.turnKeywords,
    promptWords: share * words.promptWords,
    promptPhrases: share * words.promptPhrases,
    passageWords: share * words.passageWords,
  };
}

interface Scale {
  nearness: (distance: number | null) => number;
  /** Weight of keywords, low for a query of few words. */
  trust: number;
  sought: Sought;
  /** Total weight of the query's words. */
  words: number;
  chunkKeywords: number;
  turnKeywords: number;
  hints: number;
  shared: number;
  recency: (createdAt: string | null) => number;
}

function scaleOf(known: readonly KnownCandidate[], query: QueryParts, spread: DistanceSpread | null): Scale {
  const words = query.terms.length;
  const distances = known.map(({ candidate }) => candidate.distance).filter((d) => d !== null);
  return {
    nearness: nearnessOf(distances, spread),
    trust: words / (words + FEW_WORDS),
    sought: prepareQuery(query),
    words: greatest([query.terms.reduce((sum, { weight }) => sum + weight, 0)]),
    chunkKeywords: greatest(known.map(({ candidate }) => candidate.chunkKeywords)),
    turnKeywords: greatest(known.map(({ candidate }) => candidate.turnKeywords)),
    hints: query.fileHints.length,
    shared: greatest(known.map(({ candidate }) => Math.log1p(candidate.shared))),
    recency: recencyOf(known.map(({ turn }) => turn.createdAt).filter((time) => time !== null)),
  };
}

type Words = ReturnType<typeof ofWords>;

function ofWords({ candidate, turn, passage }: KnownCandidate, query: QueryParts, scale: Scale) {
  const prompt = turnPrompt(turn);
  const { numbers, identifiers } = query.literals;
  const lower = passage.toLowerCase();
  return {
    chunkKeywords: (scale.trust * candidate.chunkKeywords) / scale.chunkKeywords,
    turnKeywords: (scale.trust * candidate.turnKeywords) / scale.turnKeywords,
    promptWords: (scale.trust * coveredWeight(scale.sought, prompt)) / scale.words,
    promptPhrases: phraseShare(scale.sought, prompt),
    passageWords: densest(scale.sought, "weight", lower) / scale.words,
    numbers: heldShare(numbers, lower),
    identifiers: heldShare(identifiers, lower),
    length: Math.log(1 + turnLength(turn) / 1_000),
  };
}

function ofPlace({ candidate, turn }: KnownCandidate, scale: Scale) {
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
