import { folded } from "../../text/fold.ts";
import { textOf } from "../../turn/parts.ts";
import type { Evidence } from "../evidence.ts";
import type { Scored } from "../fusion.ts";
import { type GateFeatures, type GateMemory, judge, Measures } from "../gate.ts";
import type { QueryParts } from "../query.ts";
import { rareWords, sharedRarity } from "../rare-words.ts";
import { type ComparedVectors, type Nearness, nearnessOf } from "./nearness.ts";
import type { Occasion } from "./occasion.ts";

/** What is known when a prompt is asked, beside its candidates. */
export interface Asked {
  parts: QueryParts;
  memory: GateMemory;
  occasion: Occasion;
  /** The texts of the session's own turns, joined, in lower case. */
  said: string;
  /** Null where words alone decide. */
  vectors: ComparedVectors | null;
}

/** Results that are compared with each other. */
const NEIGHBOURS = 8;

/** What predicts that a turn is worth telling. Features of words first, then of places, then of vectors. */
export type WorthFeatures = { [Name in keyof Evidence as `e_${Name}`]: number } & {
  [Name in keyof GateFeatures as `g_${Name}`]: number;
} & { [Name in keyof Occasion as `o_${Name}`]: number } & {
  [Name in keyof Nearness as `v_${Name}`]: number;
} & {
  rank: number;
  margin: number;
  score: number;
  lead: number;
  second: number;
  gateP: number;
  gate1P: number;
  sameSession: number;
  reverse: number;
  promptShort: number;
  promptLen: number;
  answerLen: number;
  hasAnswer: number;
  inOwn: number;
  subagent: number;
  summary: number;
  automated: number;
  sources: number;
  kw: number;
  files: number;
  sharedFiles: number;
};

/** Returns the features of the best `count` of ranked results, in their order. */
export function worthFeatures(ranked: readonly Scored[], asked: Asked, count: number): WorthFeatures[] {
  const { parts, memory } = asked;
  const measures = new Measures(parts, memory.turns);
  const gateP = judge(ranked, parts, memory, "normal", measures).probability;
  const best = ranked[0]?.score ?? 0;
  const held = Map.groupBy(ranked.slice(0, NEIGHBOURS), ({ turn }) => turn.sessionId);
  const prompt = folded(parts.text);
  return ranked.slice(0, count).map((scored, rank) => {
    const { turn, candidate, score } = scored;
    const alone = judge([scored], parts, memory, "normal", measures);
    const asks = textOf(turn, "prompt") ?? "";
    const answer = textOf(turn, "answer") ?? "";
    return {
      ...prefixed("e", scored.evidence),
      ...prefixed("g", alone.features),
      ...prefixed("o", asked.occasion),
      ...prefixed("v", nearnessOf(turn, asked.vectors)),
      rank: Math.log1p(rank),
      margin: score - best,
      score,
      lead: best - (ranked[4]?.score ?? 0),
      second: best - (ranked[1]?.score ?? best - 1),
      gateP,
      gate1P: alone.probability,
      sameSession: Math.log1p(held.get(turn.sessionId)?.length ?? 0),
      reverse: sharedRarity(rareWords(asks.slice(0, 1_500)), prompt),
      promptShort: Number(asks.split(/\s+/).length < 5),
      promptLen: Math.log1p(asks.length),
      answerLen: Math.log1p(answer.length),
      hasAnswer: Number(answer.length > 80),
      inOwn:
        asked.said === "" ? 0 : sharedRarity(rareWords((answer || turn.text).slice(0, 1_500)), asked.said),
      subagent: Number(turn.agentId !== null),
      summary: Number(turn.role !== "turn"),
      automated: Number(turn.origin === "automated"),
      sources: candidate.sources.size,
      kw: Number(candidate.sources.has("keyword")),
      files: Math.log1p(candidate.files),
      sharedFiles: Math.log1p(candidate.shared),
    };
  });
}

function prefixed<P extends string, F extends object>(prefix: P, features: F) {
  return Object.fromEntries(
    Object.entries(features).map(([name, value]) => [`${prefix}_${name}`, value]),
  ) as {
    [Name in keyof F & string as `${P}_${Name}`]: number;
  };
}
