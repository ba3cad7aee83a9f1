import { DEFAULTS } from "../config/settings.ts";
import { lazily } from "../lazily.ts";
import type { RecallStore } from "../store/marks.ts";
import type { BrowseStore, JournalStore } from "../store/store.ts";
import { findCalibration } from "./calibration.ts";
import { withoutRepeats } from "./distinct.ts";
import type { Scored } from "./fusion.ts";
import type { GateMemory, Strictness } from "./gate.ts";
import { strictnessAfter } from "./hidden.ts";
import { type PromptRanking, type Ranking, type RankingDeps, rankForPrompt } from "./ranking.ts";
import { chooseResults, type JudgedResult, judgeWorth, type Worth, type WorthDeps } from "./worth/choose.ts";
import { ownSession } from "./worth/own-session.ts";
import { withoutQuotations } from "./worth/quoted.ts";
import { type ToldMatter, tellMatters, withStatements } from "./worth/told.ts";

export interface RecallDeps extends RankingDeps {
  /** The turns around a turn. */
  browse: Pick<BrowseStore, "neighbours">;
  /** The running session's turns, and the vectors of turns. */
  recall: RecallStore;
  journal: Pick<JournalStore, "turnsToldIn">;
  /** Tells whether an answer to a similar prompt was marked bad. Then only certain turns are shown. */
  isMarkedBad?: (vector: Float32Array | null) => Promise<boolean>;
  /** Returns turns that were shown lately without effect, which rank lower; absent for none. */
  inVain?: () => Promise<ReadonlySet<number>>;
  /** Tells whether the agent's instructions already contain a statement; absent to keep all statements. */
  isInstructed?: (statement: string) => Promise<boolean>;
  /** Returns the running session's latest words, which the store may not have yet; absent if the store has all. */
  saidNow?: () => Promise<string>;
}

export interface RecallOptions {
  /** Maximum number of turns. */
  limit?: number;
  strictness?: Strictness;
}

/** The turns to show for a prompt, or the reason why there are none. */
export interface RecallDecision {
  outcome: "told" | "empty" | "gate" | "far" | "known" | "marked" | "instructed";
  /** Matters to show, most useful first. */
  told: ToldMatter[];
  /** Worth of the best turn; null when nothing was searched. */
  worth: Worth | null;
  /** The hidden turn that would otherwise be shown, if that is the reason for silence. */
  withheld: number | null;
}

/**
 * Decides what the prompt hook shows Claude for a non-trivial prompt: enriches and searches it, and selects each turn that is
 * probably worth showing. Leaves out turns in Claude's context, or shown since the last compaction. The caller records the shown
 * turns.
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
  const said = lazily(() => ownSession(sessionId, deps));
  const judge = (ranking: Pick<PromptRanking, "near" | "parts">, asked: AskedPrompt) =>
    judgedOf(ranking, asked, { recall: deps.recall, said });
  const byWords = new Map<PromptRanking, readonly JudgedResult[]>();
  const needsVectors = async (ranking: PromptRanking) => {
    const judged = await judge(ranking, askedOf(ranking, given));
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
  // A judgement by keywords alone still holds, unless the turns now need more certainty.
  const known = isBad ? undefined : byWords.get(ranking);
  const judged = await withoutQuotations(known ?? (await judge(ranking, asked)), {
    sessionId,
    parts: ranking.parts,
    store: deps.store,
    browse: deps.browse,
    journal: deps.journal,
    untold: new Set([...toldBefore, ...ranking.hidden]),
  });
  const fresh = judged.filter(({ scored }) => !toldBefore.has(scored.turn.turnId));
  const hidden = await bestHidden(ranking, { ...asked, strictness: given }, judge, deps);
  const sure = chooseResults(fresh, { limit, strictness });
  const chosen = sure.filter((one) => hidden === null || isInPlaceOf(one, hidden));
  const worth = judged[0]?.worth ?? null;
  const why = silenceOf({ judged, fresh, sure, chosen, hidden, strictness });
  const withheld = why === "marked" ? (hidden?.scored.turn.turnId ?? null) : null;
  if (why !== null) return silent(why, { worth, withheld });
  const told = await tellMatters(
    chosen,
    deps.timeLeftMs() > 0 ? judged : [],
    { prompt, parts: ranking.parts, turns, sessionId, hidden: ranking.hidden, toldBefore },
    { search: deps.store, browse: deps.browse, said },
  );
  // The turns are on the matter but say nothing about it, so a probability would only confuse.
  if (told.length === 0) return silent("gate");
  const unknown = await withoutInstructed(told, deps);
  return unknown.length === 0
    ? silent("instructed", { worth })
    : { outcome: "told", told: unknown, worth: chosen[0]?.worth ?? worth, withheld: null };
}

/**
 * Minimum share of the limit, by words alone, from which vectors can still raise a turn above it. Of 356 prompts of real
 * histories, this avoids the model for 157 of 305 without an answer, and for none of 51 with one.
 */
const NEEDS_MODEL = 0.2;

/**
 * Tells whether vectors may raise one of these turns above the limit. With a multilingual model they always may, because keywords
 * find only their own language.
 */
function needsModel(judged: readonly JudgedResult[], model: string | null): boolean {
  return (
    findCalibration(model)?.acrossLanguages === true ||
    judged.some(({ worth }) => worth.probability >= NEEDS_MODEL * worth.limit)
  );
}

interface Choice {
  judged: readonly JudgedResult[];
  /** The judged turns without those shown before; those of sufficient worth; and the selected ones. */
  fresh: readonly JudgedResult[];
  sure: readonly JudgedResult[];
  chosen: readonly JudgedResult[];
  /** The best turn if nothing were hidden. */
  hidden: JudgedResult | null;
  strictness: Strictness;
}

/** Returns the reason for silence; null when something is shown. */
function silenceOf({ judged, fresh, sure, chosen, hidden, strictness }: Choice) {
  if (chosen.length > 0) return null;
  if (judged.length > 0 && fresh.length === 0) return "known";
  // Compared with turns shown before, the rest is not worth showing.
  if (sure.length === 0 && chooseResults(judged, { limit: 1, strictness }).length > 0) return "known";
  if (hidden !== null) return "marked";
  return judged.length === 0 ? "far" : "gate";
}

/** Removes statements that the agent's instructions contain, and matters whose current state has no others. */
async function withoutInstructed(
  told: readonly ToldMatter[],
  { isInstructed = async () => false }: RecallDeps,
): Promise<ToldMatter[]> {
  const quoted = told.flatMap(({ states }) =>
    states.flatMap(({ said, dialogue }) => [...said, ...(dialogue ?? [])]),
  );
  const are = await Promise.all(quoted.map(({ text }) => isInstructed(text)));
  const instructed = new Set(quoted.filter((_, at) => are[at]));
  return told.flatMap((matter) => withStatements(matter, (each) => !instructed.has(each)) ?? []);
}

interface AskedPrompt {
  prompt: string;
  sessionId: string;
  strictness: Strictness;
  memory: GateMemory;
  inVain: ReadonlySet<number>;
}

/** Returns the candidates with the probability that each is worth showing, the highest first. */
async function judgedOf(
  { near, parts }: Pick<PromptRanking, "near" | "parts">,
  { prompt, sessionId, strictness, memory, inVain }: AskedPrompt,
  deps: Pick<WorthDeps, "recall" | "said">,
): Promise<readonly JudgedResult[]> {
  const ranked = withoutRepeats(near).kept;
  if (ranked.length === 0) return [];
  const query = { prompt, parts, memory, strictness };
  return withInVainLater(await judgeWorth(ranked, query, { sessionId, ...deps }), inVain);
}

/** Returns the best turn if nothing were hidden, when it is a hidden one and so the reason for silence. */
async function bestHidden(
  { withHidden, hidden }: PromptRanking,
  asked: AskedPrompt,
  judge: (ranking: Ranking, asked: AskedPrompt) => Promise<readonly JudgedResult[]>,
  { timeLeftMs }: Pick<RecallDeps, "timeLeftMs">,
): Promise<JudgedResult | null> {
  if (withHidden === null || timeLeftMs() <= 0) return null;
  const judged = await judge(await withHidden(), asked);
  const [best] = chooseResults(judged, { limit: 1, strictness: asked.strictness });
  return best !== undefined && hidden.has(best.scored.turn.turnId) ? best : null;
}

/** Minimum share of a better hidden turn's probability for a turn to be shown in its place. */
const IN_PLACE_OF_HIDDEN = 0.75;

function isInPlaceOf({ worth }: JudgedResult, hidden: JudgedResult): boolean {
  return worth.probability >= IN_PLACE_OF_HIDDEN * hidden.worth.probability;
}

function silent(
  outcome: RecallDecision["outcome"],
  known: Partial<Pick<RecallDecision, "worth" | "withheld">> = {},
): RecallDecision {
  return { outcome, told: [], worth: null, withheld: null, ...known };
}

interface Sure {
  scored: Pick<Scored, "turn">;
  worth: Pick<Worth, "probability">;
}

/** Share of its rank that a turn keeps after it was shown repeatedly without effect. A clearly best turn stays first. */
const KEPT_SHARE = 0.7;

/** Moves turns that were shown in vain behind nearly as certain ones. */
export function withInVainLater<Each extends Sure>(
  judged: readonly Each[],
  inVain: ReadonlySet<number>,
): readonly Each[] {
  const place = ({ scored, worth }: Each) =>
    (inVain.has(scored.turn.turnId) ? KEPT_SHARE : 1) * worth.probability;
  return judged.toSorted((a, b) => place(b) - place(a));
}
