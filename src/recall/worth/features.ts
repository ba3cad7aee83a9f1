import { choreShare } from "../chore.ts";
import type { Scored } from "../fusion.ts";
import { type GateKind, type GateMemory, judgeHits, MeasureCache } from "../gate.ts";
import type { QueryParts } from "../query.ts";

/** A prompt with its memory and the number of turns in its session. */
export interface AskedPrompt {
  prompt: string;
  parts: QueryParts;
  memory: GateMemory;
  ownTurns: number;
}

/** Features that predict whether a turn is worth showing for a prompt. */
export interface WorthFeatures {
  /** Nearness of its best chunk to the prompt, a cosine; 0 without vectors. */
  nearness: number;
  /** Nearness of its second best chunk: 0 at the median of all distances, 1 for the nearest candidate. */
  secondNearness: number;
  /** Score of the ranking. */
  score: number;
  /** Share of the prompt's words within a sentence or two of the passage, weighted by rarity. */
  passageWords: number;
  /** Logarithm of the number of the prompt's files that it touched. */
  files: number;
  /** 0 for the oldest candidate, 1 for the newest. */
  recency: number;
  /** Logarithm of the number of best results from its session. */
  sameSession: number;
  /** Logarithm of the number of turns in the prompt's session. */
  sessionTurns: number;
  /** Nearness of the prompt to turns of unrelated projects, a cosine; 0 without vectors. */
  cohort: number;
  /** Share of the prompt about version control, tests or a release, 0 to 1. */
  chore: number;
}

/** A turn's features, and further data for its probability. */
export interface MeasuredTurn {
  features: WorthFeatures;
  /** Basis of the judgement: vectors and words, or words alone. */
  kind: GateKind;
  /** The gate's probability for the turn alone. */
  gate: number;
  /** Share of the prompt's words that no turn has, weighted by rarity. */
  unknown: number;
}

/** Characters of a prompt to examine for its request. Text further behind is pasted. */
const PROMPT_CHARS = 4_000;
/** Number of results whose sessions are compared. */
const NEIGHBOURS = 8;

/** Measures the best `count` ranked results, in order. */
export function measureTurns(ranked: readonly Scored[], asked: AskedPrompt, count: number): MeasuredTurn[] {
  const { prompt, parts, memory, ownTurns } = asked;
  const measures = new MeasureCache(parts, memory.turns);
  const held = Map.groupBy(ranked.slice(0, NEIGHBOURS), ({ turn }) => turn.sessionId);
  const chore = choreShare(prompt.slice(0, PROMPT_CHARS));
  return ranked.slice(0, count).map((scored) => {
    const { turn, candidate, score, evidence } = scored;
    const gate = judgeHits([scored], parts, memory, "normal", measures);
    return {
      features: {
        nearness: gate.features.nearness,
        secondNearness: evidence.secondDistance,
        score,
        passageWords: gate.features.passageWords,
        files: Math.log1p(candidate.files),
        recency: evidence.recency,
        sameSession: Math.log1p(held.get(turn.sessionId)?.length ?? 0),
        sessionTurns: Math.log1p(ownTurns),
        cohort: gate.features.cohort,
        chore,
      },
      kind: gate.kind,
      gate: gate.probability,
      unknown: gate.features.unknown,
    };
  });
}
