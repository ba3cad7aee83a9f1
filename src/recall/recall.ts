import { DEFAULTS } from "../config/settings.ts";
import type { RecallStore } from "../store/marks.ts";
import type { BrowseStore, JournalStore, SearchStore } from "../store/store.ts";
import { calibrationOf } from "./calibration.ts";
import { withoutRepeats } from "./distinct.ts";
import type { Scored } from "./fusion.ts";
import type { GateMemory, Strictness } from "./gate.ts";
import { strictnessAfter } from "./hidden.ts";
import { amendmentsOf, type State } from "./matter/matter.ts";
import type { QueryParts } from "./query.ts";
import { type PromptRanking, type Ranking, type RankingDeps, rankForPrompt } from "./ranking.ts";
import type { Explanation } from "./search.ts";
import { choose, type Judged, judgeWorth, type Worth } from "./worth/choose.ts";
import { withoutQuotations } from "./worth/quoted.ts";
import { type ToldTurn, toldTurns } from "./worth/told.ts";

export interface RecallDeps extends RankingDeps {
  /** The turns around a turn. Without them, what amends a turn is not looked for. */
  browse?: Pick<BrowseStore, "neighbours">;
  /** What the running session said, and the vectors of turns. */
  recall: RecallStore;
  journal: Pick<JournalStore, "turnsToldIn">;
  /** Whether what was told for a prompt like this one was marked as bad. Then only what is surely worth it is told. */
  isMarkedBad?: (vector: Float32Array | null) => Promise<boolean>;
  /** Returns turns that were told lately without effect: they rank lower. Without it, none do. */
  inVain?: () => Promise<ReadonlySet<number>>;
  /** Whether the agent reads a statement in its instructions anyway. Without it, no statement is left out. */
  isInstructed?: (statement: string) => Promise<boolean>;
  /** Returns what the running session said last, which the store may not have yet. Without it, the store has all of it. */
  saidNow?: () => Promise<string>;
}

export interface RecallOptions {
  /** How many turns at most. */
  limit?: number;
  strictness?: Strictness;
}

/** The turns to tell for a prompt, or the reason why there are none. */
export interface RecallDecision {
  outcome: "told" | "empty" | "gate" | "far" | "known" | "marked" | "instructed";
  /** The most useful first. */
  told: ToldTurn[];
  /** How surely the best turn is worth telling; null when nothing was searched for. */
  worth: Worth | null;
  /** The hidden turn that would be told, where that is the reason for silence. */
  withheld: number | null;
  explain: Explanation | null;
}

/**
 * Decides what the prompt hook gives Claude for a prompt that is not trivial: enrich, search, and tell each turn that
 * is probably worth it. Leaves out turns that Claude still sees or was given since the last compaction. The caller
 * records what it gives.
 */
export async function recall(
  prompt: string,
  sessionId: string,
  deps: RecallDeps,
  { limit = DEFAULTS.search.promptK, strictness: given = "normal" }: RecallOptions = {},
): Promise<RecallDecision> {
  const { chunks, ...held } = await deps.store.totals(deps.filter);
  const turns = held.turns + held.notes;
  if (turns === 0) return silent("empty");
  const inVain = (await deps.inVain?.()) ?? new Set();
  const askedOf = ({ cohort, model }: PromptRanking, strictness: Strictness) => ({
    ...{ prompt, sessionId, strictness, inVain },
    memory: { turns, chunks, cohort, model },
  });
  const byWords = new Map<PromptRanking, readonly Judged[]>();
  const needsVectors = async (ranking: PromptRanking) => {
    const judged = await judgedOf(ranking, askedOf(ranking, given), deps);
    byWords.set(ranking, judged);
    return ranking.withHidden !== null || needsModel(judged, ranking.model);
  };
  const ranking = await rankForPrompt(prompt, sessionId, turns, {
    ...deps,
    ...(given !== "off" && { needsVectors }),
  });
  const isBad = (await deps.isMarkedBad?.(ranking.vector)) ?? false;
  const strictness = isBad ? strictnessAfter(given) : given;
  const asked = askedOf(ranking, strictness);
  const toldBefore = await deps.journal.turnsToldIn(sessionId);
  // What words alone were enough for was judged then, unless it must be surer now.
  const known = isBad ? undefined : byWords.get(ranking);
  const judged = await withoutQuotations(known ?? (await judgedOf(ranking, asked, deps)), {
    sessionId,
    parts: ranking.parts,
    store: deps.store,
    recall: deps.recall,
    journal: deps.journal,
    untold: new Set([...toldBefore, ...ranking.hidden]),
  });
  const fresh = judged.filter(({ scored }) => !toldBefore.has(scored.turn.turnId));
  const hidden = await bestHidden(ranking, { ...asked, strictness: given }, deps);
  const sure = choose(fresh, { limit, strictness });
  const chosen = sure.filter((one) => hidden === null || isInPlaceOf(one, hidden));
  const worth = judged[0]?.worth ?? null;
  const explain = explanation(ranking, chosen, toldBefore);
  const why = silenceOf({ judged, fresh, sure, chosen, hidden, strictness });
  const withheld = why === "marked" ? (hidden?.scored.turn.turnId ?? null) : null;
  if (why !== null) return silent(why, { worth, withheld, explain });
  const amended = { search: deps.store, browse: deps.timeLeftMs() > 0 ? deps.browse : undefined };
  const withNewest = await newestFirst(chosen, judged, { parts: ranking.parts, turns }, amended);
  const told = await toldTurns(
    withNewest
      .filter(({ scored }) => !toldBefore.has(scored.turn.turnId))
      .slice(0, limit)
      .map(({ scored, worth }) => ({ scored, probability: worth.probability })),
    ranking.parts,
    { search: deps.store, recall: deps.recall, saidNow: deps.saidNow },
    { hidden: ranking.hidden, told: new Set([...toldBefore, ...idsOf(withNewest)]), sessionId, prompt },
  );
  // The turns are on the matter but say nothing about it: a probability would only confuse.
  if (told.length === 0) return silent("gate", { explain });
  const unknown = await withoutInstructed(told, deps);
  return unknown.length === 0
    ? silent("instructed", { worth, explain })
    : { outcome: "told", told: unknown, worth: chosen[0]?.worth ?? worth, withheld: null, explain };
}

/**
 * A turn that vectors make sure has at least this share of the limit by words alone: of 356 prompts of real histories this
 * leaves the model out at 157 of 305 that are told nothing, and at none of 51 that are told something.
 */
const NEEDS_MODEL = 0.2;

/** Whether vectors may make one of these turns sure. With a model of many languages they always may: words find only their own. */
function needsModel(judged: readonly Judged[], model: string | null): boolean {
  return (
    calibrationOf(model)?.acrossLanguages === true ||
    judged.some(({ worth }) => worth.probability >= NEEDS_MODEL * worth.limit)
  );
}

interface Choice {
  judged: readonly Judged[];
  /** Without those that were told before; the sure ones of them; and of these what is told. */
  fresh: readonly Judged[];
  sure: readonly Judged[];
  chosen: readonly Judged[];
  /** What would be told first if it were not hidden. */
  hidden: Judged | null;
  strictness: Strictness;
}

/** Why nothing is told; null where something is. */
function silenceOf({ judged, fresh, sure, chosen, hidden, strictness }: Choice) {
  if (chosen.length > 0) return null;
  if (judged.length > 0 && fresh.length === 0) return "known";
  // Beside what was told before, the rest is not worth it.
  if (sure.length === 0 && choose(judged, { limit: 1, strictness }).length > 0) return "known";
  if (hidden !== null) return "marked";
  return judged.length === 0 ? "far" : "gate";
}

/** Leaves out the statements that the agent's instructions have, and the turns of which nothing else is told. */
async function withoutInstructed(
  told: readonly ToldTurn[],
  { isInstructed = async () => false }: RecallDeps,
): Promise<ToldTurn[]> {
  const kept: ToldTurn[] = [];
  for (const turn of told) {
    const are = await Promise.all(turn.statements.map(({ text }) => isInstructed(text)));
    const statements = turn.statements.filter((_, at) => !are[at]);
    if (statements.length > 0) kept.push({ ...turn, statements });
  }
  return kept;
}

function idsOf(judged: readonly Judged[]): number[] {
  return judged.map(({ scored }) => scored.turn.turnId);
}

interface AskedPrompt {
  prompt: string;
  sessionId: string;
  strictness: Strictness;
  memory: GateMemory;
  inVain: ReadonlySet<number>;
}

/** Returns the candidates with the probability of each to be worth telling, the surest first. */
async function judgedOf(
  { near, parts }: Pick<PromptRanking, "near" | "parts">,
  { prompt, sessionId, strictness, memory, inVain }: AskedPrompt,
  { store, recall, saidNow }: Pick<RecallDeps, "store" | "recall" | "saidNow">,
): Promise<readonly Judged[]> {
  const ranked = withoutRepeats(near).kept;
  if (ranked.length === 0) return [];
  const query = { prompt, parts, memory, strictness };
  return withInVainLater(await judgeWorth(ranked, query, { sessionId, store, recall, saidNow }), inVain);
}

/** The turn that would be told first if none were hidden, where it is one of these: it is the reason for silence then. */
async function bestHidden(
  { withHidden, hidden }: PromptRanking,
  asked: AskedPrompt,
  deps: Pick<RecallDeps, "store" | "recall" | "saidNow" | "timeLeftMs">,
): Promise<Judged | null> {
  if (withHidden === null || deps.timeLeftMs() <= 0) return null;
  const judged = await judgedOf(await withHidden(), asked, deps);
  const [best] = choose(judged, { limit: 1, strictness: asked.strictness });
  return best !== undefined && hidden.has(best.scored.turn.turnId) ? best : null;
}

/** A turn is told in place of a better hidden one only from this share of the hidden one's probability on. */
const IN_PLACE_OF_HIDDEN = 0.75;

function isInPlaceOf({ worth }: Judged, hidden: Judged): boolean {
  return worth.probability >= IN_PLACE_OF_HIDDEN * hidden.worth.probability;
}

function explanation(
  ranking: Ranking,
  chosen: readonly Judged[],
  toldBefore: ReadonlySet<number>,
): Explanation {
  const taken = new Set(idsOf(chosen));
  const { kept, repeats } = withoutRepeats(ranking.near);
  const filteredBy = ({ turn }: Scored) => {
    if (taken.has(turn.turnId)) return null;
    return toldBefore.has(turn.turnId) ? ("told" as const) : ("rank" as const);
  };
  return {
    parts: ranking.parts,
    spread: ranking.spread,
    candidates: [
      ...kept.map((scored) => ({ scored, filteredBy: filteredBy(scored) })),
      ...repeats.map((scored) => ({ scored, filteredBy: "repeat" as const })),
      ...ranking.far.map((scored) => ({ scored, filteredBy: "distance" as const })),
    ],
  };
}

function silent(
  outcome: RecallDecision["outcome"],
  known: Partial<Pick<RecallDecision, "worth" | "withheld" | "explain">> = {},
): RecallDecision {
  return { outcome, told: [], worth: null, withheld: null, explain: null, ...known };
}

interface Sure {
  scored: Pick<Scored, "turn">;
  worth: Pick<Worth, "probability">;
}

/** What a turn keeps of its place when it was told again and again without effect. A turn that is clearly best stays so. */
const KEPT_SHARE = 0.7;

/** Puts turns that were told in vain after those that are nearly as sure, the surest first. */
export function withInVainLater<Each extends Sure>(
  judged: readonly Each[],
  inVain: ReadonlySet<number>,
): readonly Each[] {
  const place = ({ scored, worth }: Each) =>
    (inVain.has(scored.turn.turnId) ? KEPT_SHARE : 1) * worth.probability;
  return judged.toSorted((a, b) => place(b) - place(a));
}

/** Turns that are looked at for what amends a chosen one. */
const AMENDING = 8;

interface NewestStores {
  search: Pick<SearchStore, "termTurns">;
  /** Without it, what amends a turn is not looked for. */
  browse: Pick<BrowseStore, "neighbours"> | undefined;
}

/** Puts what amends a chosen turn, or a note on its matter, right before it, as sure as that is, and both in the place of what repeats it. */
async function newestFirst(
  chosen: readonly Judged[],
  judged: readonly Judged[],
  asked: { parts: QueryParts; turns: number },
  { search, browse }: NewestStores,
): Promise<Judged[]> {
  if (browse === undefined) return [...chosen];
  const first = chosen.map(({ scored }) => scored);
  const others = judged.map(({ scored }) => scored).filter((scored) => !first.includes(scored));
  const ranked = [...first, ...others].slice(0, AMENDING);
  const matters = await amendmentsOf(ranked, asked, { search, browse });
  const ordered = chosen.flatMap((each) => {
    const asSure = (states: readonly State[]) =>
      states.flatMap(({ found }) => found.slice(0, 1)).map((scored) => ({ scored, worth: each.worth }));
    const repeated = matters.find(({ repeats }) => repeats.includes(each.scored));
    if (repeated !== undefined) return asSure(repeated.states);
    const isOwn = ({ found }: State) => found.includes(each.scored);
    const states = matters.find((matter) => matter.states.some(isOwn))?.states ?? [];
    return [...asSure(states.slice(0, states.findIndex(isOwn))), each];
  });
  return ordered.filter(({ scored }, at) => ordered.findIndex((one) => one.scored === scored) === at);
}
