import { choreShare } from "../chore.ts";
import type { Scored } from "../fusion.ts";
import { type GateKind, type GateMemory, judge, Measures } from "../gate.ts";
import type { QueryParts } from "../query.ts";

/** A prompt, the memory that it is asked of, and how many turns its session has so far. */
export interface Asked {
  prompt: string;
  parts: QueryParts;
  memory: GateMemory;
  ownTurns: number;
}

/** What a turn is judged by: whether it is worth telling for a prompt. */
export interface WorthFeatures {
  /** How near its best chunk is to the prompt, a cosine; 0 without vectors. */
  nearness: number;
  /** How near its second best chunk is: 0 at the median of all distances, 1 for the nearest candidate. */
  secondNearness: number;
  /** Score of the ranking. */
  score: number;
  /** Share of the prompt's words, by their rarity, within a sentence or two of what was found of the turn. */
  passageWords: number;
  /** Logarithm of the number of files of the prompt that it touched. */
  files: number;
  /** 0 for the oldest candidate, 1 for the newest. */
  recency: number;
  /** Logarithm of how many of the best results are of its session. */
  sameSession: number;
  /** Logarithm of the number of turns that the session of the prompt has so far. */
  sessionTurns: number;
  /** How near the prompt is to turns of unrelated projects, a cosine; 0 without vectors. */
  cohort: number;
  /** How much of the prompt asks for version control, tests or a release, 0 to 1. */
  chore: number;
}

/** A turn's features, and what else its probability depends on. */
export interface Measured {
  features: WorthFeatures;
  /** Whether vectors help to judge it, or words alone do. */
  kind: GateKind;
  /** The gate's probability for the turn alone. */
  gate: number;
  /** Share of the prompt's words that no turn has, by their rarity. */
  unknown: number;
}

/** How much of a prompt is looked at for what it asks: what stands further behind is pasted. */
const PROMPT_CHARS = 4_000;
/** Results whose sessions are compared. */
const NEIGHBOURS = 8;

/** Measures the best `count` of ranked results, in their order. */
export function measured(ranked: readonly Scored[], asked: Asked, count: number): Measured[] {
  const { prompt, parts, memory, ownTurns } = asked;
  const measures = new Measures(parts, memory.turns);
  const held = Map.groupBy(ranked.slice(0, NEIGHBOURS), ({ turn }) => turn.sessionId);
  const chore = choreShare(prompt.slice(0, PROMPT_CHARS));
  return ranked.slice(0, count).map((scored) => {
    const { turn, candidate, score, evidence } = scored;
    const gate = judge([scored], parts, memory, "normal", measures);
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
