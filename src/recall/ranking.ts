import { MAX_COSINE_DISTANCE } from "../constants.ts";
import type { WindowType } from "../domain.ts";
import { withTimeout } from "../io/within.ts";
import type { Filter, TellFilter } from "../store/filter.ts";
import type { LocalSearchStore, SearchStore } from "../store/store.ts";
import type { StoredChunk, StoredTurn } from "../store/stored.ts";
import { calibrate, cohortNearness } from "./calibration.ts";
import {
  addCandidate,
  addDistances,
  addPlainDistances,
  CANDIDATES,
  type Candidate,
  collectByWords,
  withNearest,
} from "./candidates.ts";
import type { DistanceSpread } from "./evidence.ts";
import { rankByEvidence, type Scored } from "./fusion.ts";
import { type QueryParts, queryParts } from "./query.ts";
import { RANKED_CHARS } from "./read-to-rank.ts";

/** Number of chunks in the sample that shows how the distances to a query are distributed. */
const DISTANCE_SAMPLE = 256;

/** All candidates of a query, best first. Those beyond the distance limit are in `far`. */
export interface Ranking {
  parts: QueryParts;
  spread: DistanceSpread | null;
  near: Scored[];
  far: Scored[];
  /**
   * Nearness of the prompt to turns of unrelated projects, for the gate; null without vectors, and with an uncalibrated model.
   */
  cohort: number | null;
  /** Model of the memory's vectors, whose scale the distances had; null without one. */
  model: string | null;
}

/**
 * Ranks the candidates, and converts their distances to the built-in model's scale. Adds their turns to `turns`, which may have
 * some of an earlier ranking.
 */
export async function rankCandidates(
  found: ReadonlyMap<number, Candidate>,
  parts: QueryParts,
  vector: Float32Array | null,
  store: SearchStore,
  turns = new Map<number, StoredTurn>(),
): Promise<Ranking> {
  const [model, distances, stored, chunks] = await Promise.all([
    store.modelId(),
    vector === null ? [] : store.sampleDistances(vector, DISTANCE_SAMPLE),
    store.turns(
      [...found.keys()].filter((id) => !turns.has(id)),
      RANKED_CHARS,
    ),
    chunksOf(found.values(), store),
  ]);
  const scaled = (distance: number) => calibrate(distance, model);
  const spread = vector === null ? null : spreadOf(distances.map(scaled));
  for (const turn of stored) turns.set(turn.turnId, turn);
  const candidates = [...found.values()].map((candidate) => withDistances(candidate, scaled));
  const ranked = rankByEvidence(candidates, { turns, chunks }, parts, spread);
  const isNear = ({ candidate }: Scored) => !isFoundByVectorAlone(candidate) || isWithinLimit(candidate);
  const cohort = vector === null ? null : cohortNearness(vector, model);
  return {
    parts,
    spread,
    near: ranked.filter(isNear),
    far: ranked.filter((scored) => !isNear(scored)),
    cohort,
    model,
  };
}

function withDistances(candidate: Candidate, scaled: (distance: number) => number): Candidate {
  const changed = (distance: number | null) => distance && scaled(distance);
  return {
    ...candidate,
    distance: changed(candidate.distance),
    plainDistance: changed(candidate.plainDistance),
    secondDistance: changed(candidate.secondDistance),
  };
}

/** Returns, by turn, the chunks by which each candidate was found. */
async function chunksOf(
  found: Iterable<Candidate>,
  store: Pick<SearchStore, "chunks">,
): Promise<Map<number, StoredChunk[]>> {
  const ids = [...found].flatMap(({ nearestChunk, keywordChunk }) => [nearestChunk, keywordChunk]);
  const chunks = await store.chunks([...new Set(ids)].filter((id) => id !== null));
  return Map.groupBy(chunks, ({ turnId }) => turnId);
}

function spreadOf(distances: readonly number[]): DistanceSpread | null {
  if (distances.length === 0) return null;
  const sorted = [...distances].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const square = sorted.reduce((sum, distance) => sum + (distance - median) ** 2, 0) / sorted.length;
  return { median, deviation: Math.sqrt(square) };
}

function isFoundByVectorAlone({ sources }: Candidate): boolean {
  return sources.size === 1 && sources.has("vector");
}

function isWithinLimit({ distance }: Candidate): boolean {
  return distance !== null && distance <= MAX_COSINE_DISTANCE;
}

/** The dependencies for ranking turns for a prompt. */
export interface RankingDeps {
  store: LocalSearchStore;
  /**
   * Opens the model on demand. Null, or a null vector, when it takes too long or is not available: then only keywords are
   * searched.
   */
  openEmbed: () => Promise<((text: string) => Promise<Float32Array | null>) | null>;
  /** Returns the turns to hide, given the prompt's vector if there is one; absent to hide none. */
  hidden?: (vector: Float32Array | null) => Promise<ReadonlySet<number>>;
  /** Narrows the turns to show, and the words to compare with; absent for no limit. */
  filter?: TellFilter;
  /** Milliseconds to the deadline. After it, the answer uses only keyword results. */
  timeLeftMs: () => number;
  /** Tells from the keyword results whether vectors could matter. If not, no model is opened. Absent if they always may. */
  needsVectors?: (byWords: PromptRanking) => Promise<boolean>;
}

/** The ranking of a prompt's candidates without hidden turns. */
export interface PromptRanking extends Ranking {
  /** The prompt's vector, if the candidates were also ranked by vectors. */
  vector: Float32Array | null;
  /** The turns that must not be shown. */
  hidden: ReadonlySet<number>;
  /** Ranks all candidates, including hidden ones; null when none are hidden. */
  withHidden: (() => Promise<Ranking>) | null;
}

/** Ranks turns for a prompt in a session, first by keywords, then also by vectors if there is a model and enough time. */
export async function rankForPrompt(
  prompt: string,
  sessionId: string,
  turns: number,
  deps: RankingDeps,
): Promise<PromptRanking> {
  const { store, timeLeftMs } = deps;
  const filter = { ...deps.filter, inContext: { sessionId } };
  const matter = withoutRepository(prompt);
  const parts = await queryParts(matter, store, turns, deps.filter);
  const words = await collectByWords(parts, store, filter);
  const loaded = new Map<number, StoredTurn>();
  // `vector` decides what is hidden; `near` is used for ranking, and null when time ran out during the search by vectors.
  const rank = async (all: ReadonlyMap<number, Candidate>, vector: Float32Array | null, near = vector) => {
    const hidden = (await deps.hidden?.(vector)) ?? new Set();
    const ranked = (candidates: ReadonlyMap<number, Candidate>) =>
      rankCandidates(candidates, parts, near, store, loaded);
    const shown = new Map([...all].filter(([turnId]) => !hidden.has(turnId)));
    const withHidden = shown.size === all.size ? null : () => ranked(all);
    return { ...(await ranked(shown)), vector: near, hidden, withHidden };
  };
  if (deps.needsVectors !== undefined) {
    const byWords = await rank(words, null);
    if (!(await deps.needsVectors(byWords))) return byWords;
  }
  const vector = await withTimeout(timeLeftMs(), embedded(matter, deps));
  const found = vector && (await byVectors(words, vector, { filter, sessionId }, deps));
  return found ? rank(found, vector) : rank(words, vector, null);
}

/** Embeds a prompt. Resolves to null without a model, or after the deadline. */
async function embedded(
  prompt: string,
  { openEmbed, timeLeftMs }: Pick<RankingDeps, "openEmbed" | "timeLeftMs">,
): Promise<Float32Array | null> {
  const model = timeLeftMs() > 0 ? await openEmbed() : null;
  return model === null || timeLeftMs() <= 0 ? null : model(prompt);
}

/** Adds the results of vectors to those of keywords. Resolves to null when the deadline passes first. */
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
  if (enriched !== plain) await addPlainDistances(found, plain, store);
  return found;
}

/** Host and repository in the URL of an issue, a pull request, a commit, a file or a run on a forge. */
const REPOSITORY =
  /https?:\/\/[\w.-]+(?:\/[\w.-]+){2,4}?(?:\/-)?(?=\/(?:pulls?|issues|merge_requests|commits?|actions|blob|tree|discussions|releases|compare|wiki)(?![\w.-]))/gi;

/**
 * Removes host and repository from the URLs in a prompt. They name the project, like most of its turns, so they do not describe
 * the question. `https://github.com/me/app/pull/12` becomes `/pull/12`.
 */
export function withoutRepository(prompt: string): string {
  return prompt.replace(REPOSITORY, "");
}

/** Number of a session's last files whose turns become candidates. */
export const RECENT_FILES = 10;

/**
 * Weight of a session's files against its prompt. By `bench:foresight` on two histories, 0.25 finds as many turns (0.736 and
 * 0.893) as embedding the prompt together with the names of the files (0.727 and 0.901), which took twice as long. 0.15 finds
 * fewer (0.705), 0.5 more on one and fewer on the other (0.749 and 0.884).
 */
const WEIGHT = 0.25;

/**
 * Moves a prompt's vector towards the access pattern of its session: the mean vector of its last files and URLs. `prompt` and the
 * result have an L2 norm of 1. Returns `prompt` itself when there is no pattern.
 */
export function enrichVector(prompt: Float32Array, pattern: Float32Array | null): Float32Array {
  const length = pattern === null ? 0 : normOf(pattern);
  if (pattern === null || length === 0) return prompt;
  const sum = prompt.map((value, i) => value + (WEIGHT * (pattern[i] ?? 0)) / length);
  const norm = normOf(sum);
  return norm === 0 ? prompt : sum.map((value) => value / norm);
}

function normOf(vector: Float32Array): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
}

/** Number of sessions with the most similar access patterns that contribute their best turn. */
const MAX_SESSIONS = 3;

/**
 * Window of the current session to compare with other sessions. By `bench:foresight` on two histories, the last 10 and the last 5
 * turns do equally well (0.683 and 0.909), and `full` no better (0.678 and 0.909).
 */
const WINDOW: WindowType = "recent_10";

/** The current session with its access pattern in the window; null without one. */
interface CurrentSession {
  sessionId: string;
  pattern: Float32Array | null;
}

/**
 * Adds the best turn, by distance to the query, of each session that worked on the same files and URLs as the current one. Does
 * nothing when the current session touched none.
 */
export async function addByAccess(
  found: Map<number, Candidate>,
  { sessionId, pattern }: CurrentSession,
  vector: Float32Array,
  store: LocalSearchStore,
  filter: Filter,
): Promise<void> {
  if (pattern === null) return;
  const sessions = await store.nearestSessions(pattern, MAX_SESSIONS, sessionId, filter);
  for (const [rank, near] of sessions.entries()) {
    const [hit] = await store.nearestChunks(vector, 1, { ...filter, session: near.sessionId });
    if (hit) addCandidate(found, hit.turnId, "access").accessRank = rank;
  }
  await addDistances(found, vector, store);
}

/** Adds turns that touched the current session's last files, because a session returns to the same files. */
export async function addBySharedFiles(
  found: Map<number, Candidate>,
  files: readonly string[],
  store: Pick<SearchStore, "turnsByFile">,
  filter: Filter,
): Promise<void> {
  if (files.length === 0) return;
  for (const hit of await store.turnsByFile(files, CANDIDATES.sharedTurns, filter)) {
    addCandidate(found, hit.turnId, "access").shared = hit.matches;
  }
}
