import type { StoredChunk, StoredTurn } from "../store/stored.ts";
import { findPart } from "../turn/parts.ts";
import type { Candidate } from "./candidates.ts";
import { type DistanceSpread, type Evidence, gatherEvidence, type KnownCandidate } from "./evidence.ts";
import type { QueryParts } from "./query.ts";
import { FUSION_WEIGHTS } from "./weights.ts";

/** A candidate with its score and the evidence behind it. */
export interface Scored extends KnownCandidate {
  /** The passage without the forward context. */
  ownPassage: string;
  score: number;
  evidence: Evidence;
}

/** The loaded turns and chunks of candidates, by turn id. */
export interface LoadedTurns {
  turns: ReadonlyMap<number, StoredTurn>;
  /** The chunks by which each turn was found. Absent for a turn without any. */
  chunks: ReadonlyMap<number, readonly Pick<StoredChunk, "content" | "start">[]>;
}

/** Share of the score that an agent's note keeps, so that equally good words of the user come first. */
const KEPT_SHARE = 0.8;

const NAMES = Object.keys(FUSION_WEIGHTS) as (keyof Evidence)[];

/** Parts of a score for the reader. */
export type ScorePart = "meaning" | "words" | "names" | "other";

/** The part of the score for each kind of evidence. */
const PART_OF: Readonly<Record<keyof Evidence, ScorePart>> = {
  distance: "meaning",
  secondDistance: "meaning",
  chunkKeywords: "words",
  turnKeywords: "words",
  promptWords: "words",
  promptPhrases: "words",
  passageWords: "words",
  numbers: "names",
  identifiers: "names",
  file: "names",
  reference: "names",
  length: "other",
  access: "other",
  shared: "other",
  recency: "other",
};

/** Ranks candidates by the weighted sum of their evidence, best first. Leaves out candidates whose turn is not given. */
export function rankByEvidence(
  candidates: Iterable<Candidate>,
  { turns, chunks }: LoadedTurns,
  query: QueryParts,
  spread: DistanceSpread | null,
): Scored[] {
  const known = [...candidates].flatMap((candidate): (KnownCandidate & Pick<Scored, "ownPassage">)[] => {
    const turn = turns.get(candidate.turnId);
    return turn === undefined
      ? []
      : [{ candidate, turn, ...passagesOf(turn, chunks.get(turn.turnId) ?? []) }];
  });
  const evidence = gatherEvidence(known, query, spread);
  return known
    .flatMap((each, i) => {
      const measured = evidence[i];
      if (measured === undefined) return [];
      return [{ ...each, evidence: measured, score: weighed(scoreOf(measured), each.turn) }];
    })
    .sort((a, b) => b.score - a.score || b.turn.turnId - a.turn.turnId);
}

/** Returns the text of a turn's chunks, with and without the forward context. */
function passagesOf(
  turn: StoredTurn,
  chunks: readonly Pick<StoredChunk, "content" | "start">[],
): Pick<Scored, "passage" | "ownPassage"> {
  const passage = chunks.map(({ content }) => content).join("\n");
  const forward = findPart(turn, "forward");
  if (forward === null) return { passage, ownPassage: passage };
  const own = chunks.map(({ content, start }) => content.slice(0, Math.max(0, forward.start - start)));
  return { passage, ownPassage: own.join("\n") };
}

/**
 * Returns the contribution of each part to a score; they add up to the score. `other` includes the reduction for an agent's note.
 */
export function scoreParts({
  evidence,
  score,
}: Pick<Scored, "evidence" | "score">): Record<ScorePart, number> {
  const parts = { meaning: 0, words: 0, names: 0, other: 0 };
  for (const name of NAMES)
    if (PART_OF[name] !== "other") parts[PART_OF[name]] += FUSION_WEIGHTS[name] * evidence[name];
  return { ...parts, other: score - parts.meaning - parts.words - parts.names };
}

function scoreOf(evidence: Evidence): number {
  let sum = 0;
  for (const name of NAMES) sum += FUSION_WEIGHTS[name] * evidence[name];
  return sum;
}

/** Lowers the score of a note that an agent wrote. */
function weighed(score: number, { origin }: { origin: string }): number {
  return origin === "agent" ? score - (1 - KEPT_SHARE) * Math.abs(score) : score;
}
