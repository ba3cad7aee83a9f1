import type { Filter, MayTell } from "../filter/filter.ts";
import { within } from "../io/within.ts";
import type { LocalSearchStore } from "../store/contract/store.ts";
import { addByAccess, addBySharedFiles, WINDOW } from "./access.ts";
import { type Candidate, collectByWords, measurePlain, withNearest } from "./candidates.ts";
import { enrichVector, RECENT_FILES } from "./enrich.ts";
import { queryParts } from "./query.ts";
import { type Ranking, rankCandidates } from "./ranking.ts";
import { withoutRepository } from "./without-repository.ts";

/** What the turns for a prompt are ranked with. */
export interface RankingDeps {
  store: LocalSearchStore;
  /**
   * Opens the model when it is needed. Null, or a null vector, when it would take too long or is not available: then
   * keywords alone are searched for.
   */
  openEmbed: () => Promise<((text: string) => Promise<Float32Array | null>) | null>;
  /** Returns the turns to leave out, given the prompt's vector if there is one; without it, none are left out. */
  hidden?: (vector: Float32Array | null) => Promise<ReadonlySet<number>>;
  /** Narrows what may be told, and what words are compared with; everything when absent. */
  filter?: MayTell;
  /** Milliseconds to the deadline. After it, the answer uses only what keywords found. */
  timeLeftMs: () => number;
}

/** The ranking of a prompt's candidates without the hidden ones. */
export interface PromptRanking extends Ranking {
  /** The prompt's vector, if the candidates were ranked by vectors too. */
  vector: Float32Array | null;
  /** The turns that must not be told. */
  hidden: ReadonlySet<number>;
  /** Ranks all candidates, those that were left out included; null when none were. */
  withHidden: (() => Promise<Ranking>) | null;
}

/** Ranks turns for a prompt in a session, by words first, then also by vectors if there is a model and enough time. */
export async function rankForPrompt(
  prompt: string,
  sessionId: string,
  turns: number,
  deps: RankingDeps,
): Promise<PromptRanking> {
  const { store, timeLeftMs } = deps;
  const filter = { ...deps.filter, inContext: { sessionId } };
  const matter = withoutRepository(prompt);
  const plain = embedded(matter, deps);
  // It is awaited later, after the search by words.
  plain.catch(() => null);
  const parts = await queryParts(matter, store, turns, deps.filter);
  const byWords = await collectByWords(parts, store, filter);
  const vector = await within(timeLeftMs(), plain);
  const found = vector && (await byVectors(byWords, vector, { filter, sessionId }, deps));
  const hidden = (await deps.hidden?.(vector)) ?? new Set();
  const rank = (candidates: ReadonlyMap<number, Candidate>) =>
    rankCandidates(candidates, parts, found && vector, store);
  const all = found ?? byWords;
  const shown = new Map([...all].filter(([turnId]) => !hidden.has(turnId)));
  const withHidden = shown.size === all.size ? null : () => rank(all);
  return { ...(await rank(shown)), vector: found && vector, hidden, withHidden };
}

/**
 * Starts to load the model and to embed the prompt. The memory is searched by words in the meantime. Resolves to
 * null without a model, or after the deadline.
 */
async function embedded(
  prompt: string,
  { openEmbed, timeLeftMs }: Pick<RankingDeps, "openEmbed" | "timeLeftMs">,
): Promise<Float32Array | null> {
  const model = timeLeftMs() > 0 ? await openEmbed() : null;
  return model === null || timeLeftMs() <= 0 ? null : model(prompt);
}

/** Adds what vectors find to what words found. Resolves to null when the deadline passes before the end. */
async function byVectors(
  byWords: ReadonlyMap<number, Candidate>,
  plain: Float32Array,
  { filter, sessionId }: { filter: Filter; sessionId: string },
  { store, timeLeftMs }: Pick<RankingDeps, "store" | "timeLeftMs">,
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
