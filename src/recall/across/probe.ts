import type { MementorError } from "../../errors.ts";
import type { Filter } from "../../store/filter.ts";
import type { LocalSearchStore } from "../../store/store.ts";
import { comparable } from "../calibration.ts";
import { keywordsOf } from "../candidates.ts";
import { decide } from "../gate.ts";
import { totalRarity, unknownShare } from "../gate-features.ts";
import { type QueryParts, queryParts } from "../query.ts";

/** A query's vector, and how near it is to turns of unrelated projects (null for a model for which that is unknown). */
export interface QueryVector {
  modelId: string;
  plain: Float32Array;
  cohort: number | null;
}

/**
 * Estimates how likely a memory answers a query, without loading a turn: by its nearest chunk and by its best turn for the
 * query's words. The estimate, 0 to 1, is the probability of the gate's model, so that memories of any size can be
 * compared; what was not measured counts as absent. A memory that holds what the query names gets 1 more.
 */
export async function probe(
  query: string,
  memory: Omit<OpenedMemory, "close">,
  vector: QueryVector | null,
): Promise<number> {
  const { store, filter } = memory;
  const { chunks, ...held } = await store.totals();
  const turns = held.turns + held.notes;
  if (turns === 0) return 0;
  const parts = await queryParts(query, store, turns);
  const named = (await holdsNamed(parts, memory)) ? 1 : 0;
  const coverage = Object.keys(filter).length === 0 ? bestCoverage(parts) : await coverageOf(parts, memory);
  const nearest = vector && (await store.nearestDistance(vector.plain, filter));
  if (coverage === 0 && nearest === null) return named;
  const cohort = nearest === null ? null : (vector?.cohort ?? null);
  const features = {
    nearness: nearest === null || cohort === null ? 0 : 1 - comparable(nearest, vector?.modelId),
    cohort: cohort ?? 0,
    turnKeywords: coverage,
    unknown: unknownShare(parts),
    size: Math.log(Math.max(1, chunks)),
    passageWords: 0,
    phrases: 0,
    surprise: 0,
    literals: 0,
    concentration: 0,
  };
  return named + decide(features, cohort === null ? "words" : "vectors").probability;
}

/** Returns the largest share of the query's words, weighted by rarity, that one turn contains. */
function bestCoverage(parts: QueryParts): number {
  const held = new Map<number, number>();
  for (const { turnIds, rarity } of parts.terms)
    for (const id of turnIds ?? []) held.set(id, (held.get(id) ?? 0) + rarity);
  let most = 0;
  for (const rarity of held.values()) most = Math.max(most, rarity);
  return most / totalRarity(parts);
}

/** The same among the turns that fit the filter, by the index's score, which is of the same size. */
async function coverageOf(
  parts: QueryParts,
  { store, filter }: Omit<OpenedMemory, "close">,
): Promise<number> {
  const [best] = await store.keywordTurns(keywordsOf(parts), 1, filter);
  return (best?.score ?? 0) / totalRarity(parts);
}

/** Whether the memory has a commit, pull request or file that the query names. */
async function holdsNamed(
  { references: { commits, prNumbers }, fileHints }: QueryParts,
  { store, filter }: Omit<OpenedMemory, "close">,
): Promise<boolean> {
  const found = await Promise.all([
    commits.length > 0 ? store.turnsByCommit(commits, 1, filter) : [],
    prNumbers.length > 0 ? store.turnsByPr(prNumbers, 1, filter) : [],
    fileHints.length > 0 ? store.turnsByFile(fileHints, 1, filter) : [],
  ]);
  return found.some((turns) => turns.length > 0);
}

/** One of several memories to search. */
export interface SearchedMemory<Project> {
  project: Project;
  /** Opens the memory for reading. Rejects when it cannot be read. */
  open(): Promise<OpenedMemory>;
}

export interface OpenedMemory {
  store: LocalSearchStore;
  /** The filters as they read in this memory. */
  filter: Filter;
  close(): Promise<void>;
}

/** What was not searched as the others were. */
export interface Coverage<Project> {
  searched: Project[];
  /** Searched by words alone, because their vectors are of another model than the query's. */
  byWords: Project[];
  failed: { project: Project; error: MementorError }[];
  /** Not searched, because the time was over. */
  missed: Project[];
}
