import type { MarkStore, RecallStore } from "../store/marks.ts";
import type { SearchStore } from "../store/store.ts";
import { classify, type TrivialReason } from "./classify.ts";
import type { Scored } from "./fusion.ts";
import type { GateMemory, Strictness } from "./gate.ts";
import { hiddenTurns, isMarkedBad, strictnessAfter } from "./hidden.ts";
import type { QueryParts } from "./query.ts";
import { choose, judgeWorth, type Worth } from "./worth/choose.ts";
import { type ToldTurn, toldTurns } from "./worth/told.ts";

/** What the prompt hook would do with a query in a new session. A search shows its results whatever that is. */
export interface HookDecision {
  trivial: TrivialReason | null;
  /** How surely the best turn is worth telling; null for a trivial prompt, and when nothing was found. */
  best: { turnId: number; worth: Worth } | null;
  /** Whether an answer to such a prompt was marked as bad: then every turn must be surer. */
  isMarkedBad: boolean;
  /** The turns that are sure enough, as many as the hook tells at most, the surest first. */
  tells: number[];
  /** Those of them that have something to tell, with what it is. The text of the hook may not have room for all. */
  told: ToldTurn[];
}

export interface ForeseenQuery {
  prompt: string;
  parts: QueryParts;
  memory: GateMemory;
  /** The query's vector; null where words alone are known. */
  vector: Float32Array | null;
  /** How many turns the hook tells at most, and how sure it must be. */
  limit: number;
  strictness: Strictness;
}

/** What the hook reads of a memory's file beside its turns. */
export interface ForeseenStore {
  recall: Pick<RecallStore, "latestTurns" | "copiedTurns" | "turnsAfter" | "turnsBefore">;
  marks: Pick<MarkStore, "hidden" | "bad">;
}

/** A server has no marks. */
interface ForeseenStores {
  search: Pick<SearchStore, "turns">;
  local: ForeseenStore | null;
}

/** The session of a prompt that has none: no turn belongs to it. */
const NEW_SESSION = "";
const NOTHING: ForeseenStore["recall"] = {
  latestTurns: async () => [],
  copiedTurns: async () => new Set<number>(),
  turnsAfter: async () => [],
  turnsBefore: async () => [],
};

/** Decides as the prompt hook does for the same results, best first, in a session that has said nothing yet. */
export async function foresee(
  ranked: readonly Scored[],
  { prompt, parts, memory, vector, limit, strictness: given }: ForeseenQuery,
  { search: store, local }: ForeseenStores,
): Promise<HookDecision> {
  const classified = classify(prompt);
  if (classified.trivial)
    return { trivial: classified.reason, best: null, isMarkedBad: false, tells: [], told: [] };
  const occasion = { prompt, vector };
  const hidden = local === null ? new Set<number>() : await hiddenTurns(local.marks, occasion);
  const isBad = local !== null && (await isMarkedBad(local.marks, occasion));
  const strictness = isBad ? strictnessAfter(given) : given;
  const recall = local?.recall ?? NOTHING;
  const judged = await judgeWorth(
    ranked.filter(({ turn }) => !hidden.has(turn.turnId)),
    { prompt, parts, memory, strictness },
    { sessionId: NEW_SESSION, store, recall },
  );
  const [best] = judged;
  const chosen = choose(judged, { limit, strictness });
  const tells = chosen.map(({ scored }) => scored.turn.turnId);
  const told = await toldTurns(
    chosen.map(({ scored, worth }) => ({ scored, probability: worth.probability })),
    parts,
    { search: store, recall },
    { hidden, told: new Set(tells), sessionId: NEW_SESSION, prompt },
  );
  return {
    trivial: null,
    best: best === undefined ? null : { turnId: best.scored.turn.turnId, worth: best.worth },
    isMarkedBad: isBad && strictness !== given,
    tells,
    told,
  };
}
