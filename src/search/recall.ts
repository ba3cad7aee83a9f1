import { DEFAULTS } from "../config/defaults.ts";
import type { Filter, MayTell } from "../filter/filter.ts";
import { within } from "../io/within.ts";
import type { JournalStore, LocalSearchStore } from "../store/contract/store.ts";
import { addByAccess, addBySharedFiles, WINDOW } from "./access.ts";
import { type Candidate, collectByWords, measurePlain, withNearest } from "./candidates.ts";
import { classify, type TrivialReason } from "./classify.ts";
import { diverse, withoutRepeats } from "./distinct.ts";
import { enrichVector, RECENT_FILES } from "./enrich.ts";
import type { Scored } from "./fusion.ts";
import { type GateDecision, judge, type Strictness } from "./gate.ts";
import { hitsOf, type SearchHit } from "./hits.ts";
import { lowered } from "./in-vain.ts";
import { queryParts } from "./query.ts";
import { type Ranking, rankCandidates } from "./ranking.ts";
import type { Explanation } from "./search.ts";

/** Limits of recall for a prompt. */
const RECALL = {
  /** Maximum number of turns from one session. */
  perSession: 2,
  /**
   * Minimum score of a turn as a share of the best turn's. On 640 prompts, `bench:recall` found as many right sessions
   * as without this limit, in a third fewer characters.
   */
  minShare: 0.5,
  /** Characters for all passages, and the range for each. A single passage may be longer than one of many. */
  passagesChars: 1_400,
  passageChars: { min: 280, max: 700 },
} as const;

export interface RecallDeps {
  store: LocalSearchStore;
  journal: Pick<JournalStore, "injectedTurns">;
  /**
   * Opens the model when it is needed. Null, or a null vector, when it would take too long or is not available: then
   * keywords alone are searched for.
   */
  openEmbed: () => Promise<((text: string) => Promise<Float32Array | null>) | null>;
  /** Returns the turns to leave out, given the prompt's vector if there is one; without it, none are left out. */
  hidden?: (vector: Float32Array | null) => Promise<ReadonlySet<number>>;
  /** Narrows what may be told, and what words are compared with; everything when absent. */
  filter?: MayTell;
  /** Returns turns that were told lately without effect: they rank lower. Without it, none do. */
  inVain?: () => Promise<ReadonlySet<number>>;
  /** Milliseconds to the deadline. After it, the answer uses only what keywords found. */
  timeLeftMs: () => number;
}

export interface RecallOptions {
  /** How many turns at most. */
  limit?: number;
  strictness?: Strictness;
  /** Characters of each passage; by the number of passages when absent. */
  passageChars?: number;
}

/** The turns to show for a prompt, or the reason why there are none. */
export interface RecallDecision {
  outcome: "told" | "trivial" | "empty" | "gate" | "far" | "known" | "marked";
  reason: TrivialReason | null;
  hits: SearchHit[];
  /** Null when nothing was searched for. */
  gate: GateDecision | null;
  explain: Explanation | null;
}

/**
 * Decides what the prompt hook gives Claude: classify, enrich, search, gate. Leaves out turns that Claude still sees
 * or was given since the last compaction. The caller records what it gives.
 */
export async function recall(
  prompt: string,
  sessionId: string,
  deps: RecallDeps,
  { limit = DEFAULTS.search.promptK, strictness = "normal", passageChars }: RecallOptions = {},
): Promise<RecallDecision> {
  const classified = classify(prompt);
  if (classified.trivial) return silent("trivial", { reason: classified.reason });
  const { turns, chunks } = await deps.store.totals(deps.filter);
  if (turns === 0) return silent("empty");
  const ranking = await rankForPrompt(prompt, sessionId, turns, deps);
  const recalled = await deps.journal.injectedTurns(sessionId);
  const { kept: found, repeats } = withoutRepeats(ranking.near);
  const kept = lowered(found, (await deps.inVain?.()) ?? new Set());
  const fresh = kept.filter(({ turn }) => !recalled.has(turn.turnId));
  const best = diverse(fresh, { ...RECALL, limit });
  const explain = explanation(ranking, { kept, repeats, best, recalled });
  const isMarked = () => opensWithHidden(ranking, { turns, chunks }, deps, strictness);
  if (kept.length === 0) return silent((await isMarked()) ? "marked" : "far", { explain });
  if (best.length === 0) return silent("known", { explain });
  const gate = judge(found, ranking.parts, { turns, chunks, cohort: ranking.cohort }, strictness);
  if (!gate.open) return silent((await isMarked()) ? "marked" : "gate", { gate, explain });
  const hits = await hitsOf(best, ranking.parts, deps.store, passageChars ?? passageCharsFor(best.length));
  return { outcome: "told", reason: null, hits, gate, explain };
}

/** The ranking of a prompt's candidates without the hidden ones. */
export interface PromptRanking extends Ranking {
  /** Ranks all candidates, those that were left out included; null when none were. */
  withHidden: (() => Promise<Ranking>) | null;
}

/** Whether the gate would open if no turn were hidden: the marks are the reason for the silence then. */
async function opensWithHidden(
  { withHidden }: PromptRanking,
  memory: { turns: number; chunks: number },
  { timeLeftMs }: Pick<RecallDeps, "timeLeftMs">,
  strictness: Strictness,
): Promise<boolean> {
  if (withHidden === null || timeLeftMs() <= 0) return false;
  const { near, parts, cohort } = await withHidden();
  const { kept } = withoutRepeats(near);
  return kept.length > 0 && judge(kept, parts, { ...memory, cohort }, strictness).open;
}

/** Ranks turns for a prompt in a session, by words first, then also by vectors if there is a model and enough time. */
export async function rankForPrompt(
  prompt: string,
  sessionId: string,
  turns: number,
  deps: Pick<RecallDeps, "store" | "hidden" | "filter" | "openEmbed" | "timeLeftMs">,
): Promise<PromptRanking> {
  const { store, timeLeftMs } = deps;
  const filter = { ...deps.filter, inContext: { sessionId } };
  const plain = embedded(prompt, deps);
  // It is awaited later, after the search by words.
  plain.catch(() => null);
  const parts = await queryParts(prompt, store, turns, deps.filter);
  const byWords = await collectByWords(parts, store, filter);
  const vector = await within(timeLeftMs(), plain);
  const found = vector && (await byVectors(byWords, vector, { filter, sessionId }, deps));
  const hidden = (await deps.hidden?.(vector)) ?? new Set();
  const rank = (candidates: ReadonlyMap<number, Candidate>) =>
    rankCandidates(candidates, parts, found && vector, store);
  const all = found ?? byWords;
  const shown = new Map([...all].filter(([turnId]) => !hidden.has(turnId)));
  const withHidden = shown.size === all.size ? null : () => rank(all);
  return { ...(await rank(shown)), withHidden };
}

/**
 * Starts to load the model and to embed the prompt as typed. The memory is searched by words in the meantime. Resolves to
 * null without a model, or after the deadline.
 */
async function embedded(
  prompt: string,
  { openEmbed, timeLeftMs }: Pick<RecallDeps, "openEmbed" | "timeLeftMs">,
): Promise<Float32Array | null> {
  const model = timeLeftMs() > 0 ? await openEmbed() : null;
  return model === null || timeLeftMs() <= 0 ? null : model(prompt);
}

/** Adds what vectors find to what words found. Resolves to null when the deadline passes before the end. */
async function byVectors(
  byWords: ReadonlyMap<number, Candidate>,
  plain: Float32Array,
  { filter, sessionId }: { filter: Filter; sessionId: string },
  { store, timeLeftMs }: Pick<RecallDeps, "store" | "timeLeftMs">,
): Promise<Map<number, Candidate> | null> {
  const isLate = () => timeLeftMs() <= 0;
  if (isLate()) return null;
  const pattern = await store.accessPattern(sessionId, WINDOW);
  const enriched = enrichVector(plain, pattern);
  const found = await withNearest(byWords, enriched, store, filter, isLate);
  if (isLate()) return null;
  const { files } = await store.recentResources(sessionId, { files: RECENT_FILES, urls: 0 });
  await addBySharedFiles(found, files, store, filter);
  if (!isLate()) await addByAccess(found, { sessionId, pattern }, enriched, store, filter);
  if (isLate()) return null;
  if (enriched !== plain) await measurePlain(found, plain, store);
  return found;
}

function passageCharsFor(passages: number): number {
  const { min, max } = RECALL.passageChars;
  return Math.max(min, Math.floor(Math.min(max, RECALL.passagesChars / passages)));
}

function explanation(
  ranking: Ranking,
  sets: {
    kept: readonly Scored[];
    repeats: Scored[];
    best: readonly Scored[];
    recalled: ReadonlySet<number>;
  },
): Explanation {
  const taken = new Set(sets.best);
  const filteredBy = (scored: Scored) => {
    if (taken.has(scored)) return null;
    return sets.recalled.has(scored.turn.turnId) ? ("told" as const) : ("rank" as const);
  };
  return {
    parts: ranking.parts,
    spread: ranking.spread,
    candidates: [
      ...sets.kept.map((scored) => ({ scored, filteredBy: filteredBy(scored) })),
      ...sets.repeats.map((scored) => ({ scored, filteredBy: "repeat" as const })),
      ...ranking.far.map((scored) => ({ scored, filteredBy: "distance" as const })),
    ],
  };
}

function silent(
  outcome: RecallDecision["outcome"],
  known: Partial<Pick<RecallDecision, "reason" | "gate" | "explain">> = {},
): RecallDecision {
  return { outcome, reason: null, hits: [], gate: null, explain: null, ...known };
}
