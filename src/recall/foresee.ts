import type { MarkStore, RecallStore } from "../store/marks.ts";
import type { BrowseStore, SearchStore } from "../store/store.ts";
import { classify, type TrivialReason } from "./classify.ts";
import type { Scored } from "./fusion.ts";
import type { GateMemory, Strictness } from "./gate.ts";
import { hiddenTurns, isMarkedBad, strictnessAfter } from "./hidden.ts";
import type { QueryParts } from "./query.ts";
import { chooseResults, judgeWorth, type Worth } from "./worth/choose.ts";
import { type ToldMatter, tellMatters } from "./worth/told.ts";

/** The prompt hook's decision on a query in a new session. A search shows its results in any case. */
export interface HookDecision {
  trivial: TrivialReason | null;
  /** Worth of the best turn; null for a trivial prompt, and when nothing was found. */
  best: { turnId: number; worth: Worth } | null;
  /** True when an answer to a similar prompt was marked bad, which raises the limit for every turn. */
  isMarkedBad: boolean;
  /** Turns with enough worth, as many as the hook shows at most, best first. */
  tells: number[];
  /** The matters of these turns that have statements to show. The hook's text may lack room for all. */
  told: ToldMatter[];
}

export interface ForeseenQuery {
  prompt: string;
  parts: QueryParts;
  memory: GateMemory;
  /** The query's vector; null when only keywords are used. */
  vector: Float32Array | null;
  /** Maximum turns that the hook shows, and its strictness. */
  limit: number;
  strictness: Strictness;
}

/** Data of a memory's file that the hook reads besides turns. */
export interface ForeseenStore {
  recall: Pick<RecallStore, "copiedTurns">;
  marks: Pick<MarkStore, "hidden" | "bad">;
}

/** The stores to read. A server has no marks. */
interface ForeseenStores {
  search: Pick<SearchStore, "turns" | "termTurns">;
  browse: Pick<BrowseStore, "neighbours">;
  local: ForeseenStore | null;
}

/** Session id of a prompt without a session, which has no turns. */
const NEW_SESSION = "";
const NOTHING: ForeseenStore["recall"] = { copiedTurns: async () => new Set<number>() };
const SAID_NOTHING = async () => [];

/** Decides like the prompt hook on the same results, best first, in a session without turns. */
export async function previewHookDecision(
  ranked: readonly Scored[],
  { prompt, parts, memory, vector, limit, strictness: given }: ForeseenQuery,
  { search: store, browse, local }: ForeseenStores,
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
    { sessionId: NEW_SESSION, recall, said: SAID_NOTHING },
  );
  const [best] = judged;
  const chosen = chooseResults(judged, { limit, strictness });
  const tells = chosen.map(({ scored }) => scored.turn.turnId);
  const asked = {
    prompt,
    parts,
    turns: memory.turns,
    sessionId: NEW_SESSION,
    hidden,
    toldBefore: new Set<number>(),
  };
  const told = await tellMatters(chosen, judged, asked, { search: store, browse, said: SAID_NOTHING });
  return {
    trivial: null,
    best: best === undefined ? null : { turnId: best.scored.turn.turnId, worth: best.worth },
    isMarkedBad: isBad && strictness !== given,
    tells,
    told,
  };
}
