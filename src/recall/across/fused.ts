import { MementorError, toMementorError } from "../../errors.ts";
import type { Filter } from "../../store/filter.ts";
import type { LocalSearchStore } from "../../store/store.ts";
import { calibrate, cohortNearness } from "../calibration.ts";
import { queryKeywords } from "../candidates.ts";
import { CONFIDENCES, type Confidence, surestFirst } from "../confidence.ts";
import { decide, totalRarity, unknownShare } from "../gate.ts";
import { type QueryParts, queryParts } from "../query.ts";
import { type RatedHit, type SearchRequest, type SearchResult, search, splitByWord } from "../search.ts";

/**
 * Number of memories to search in full. With more, all are probed first, and the most promising are searched. A full search costs
 * several times a probe.
 */
const SEARCHED = 8;

export interface AcrossDeps {
  /** Embeds the query with the model of this id; null when that is impossible. Called once. */
  embed: ((modelId: string) => Promise<Float32Array | null>) | null;
  /** Milliseconds for which further memories may be opened. */
  timeLeftMs: () => number;
}

export interface AcrossResult<Project> extends Coverage<Project> {
  query: string;
  /** The best hits of all memories, best first. */
  hits: { hit: RatedHit; project: Project; words: readonly string[] }[];
  confidence: Confidence;
}

/**
 * Searches several memories for one query, which is embedded once, with the model of the first memory that has one. Only one
 * memory is open at a time. A memory that fails is named in the result and does not stop the search.
 */
export async function searchAcross<Project>(
  request: Omit<SearchRequest, "filter">,
  memories: readonly SearchedMemory<Project>[],
  deps: AcrossDeps,
): Promise<AcrossResult<Project>> {
  const run = new Run<Project>(request, deps);
  const chosen = memories.length <= SEARCHED ? memories : await run.mostPromising(memories);
  const found: { project: Project; result: SearchResult }[] = [];
  for (const memory of chosen) {
    const result = await run.visit(memory, (opened) => run.search(memory.project, opened));
    if (result !== null) found.push({ project: memory.project, result });
  }
  const confidences = found.map(({ result }) => CONFIDENCES.indexOf(result.confidence));
  const { found: hits } = splitByWord(request.query, merged(found), ({ hit }) => hit.sources);
  return {
    query: request.query,
    hits: surestFirst(hits, ({ hit }) => hit.confidence).slice(0, request.limit),
    confidence: CONFIDENCES[Math.max(0, ...confidences)] ?? "weak",
    ...run.coverage(),
  };
}

/** One search of several memories: the query's vector, and the outcome for each memory. */
class Run<Project> {
  readonly #request: Omit<SearchRequest, "filter">;
  readonly #deps: AcrossDeps;
  readonly #state = new Map<Project, "searched" | "words" | "missed" | { error: unknown }>();
  #vector: Promise<QueryVector | null> | null = null;

  constructor(request: Omit<SearchRequest, "filter">, deps: AcrossDeps) {
    this.#request = request;
    this.#deps = deps;
  }

  /** Opens a memory, if there is time, runs work on it and closes it. Resolves to null on failure. */
  async visit<Result>(
    { project, open }: SearchedMemory<Project>,
    work: (opened: OpenedMemory) => Promise<Result>,
  ): Promise<Result | null> {
    if (this.#deps.timeLeftMs() <= 0) {
      this.#state.set(project, "missed");
      return null;
    }
    try {
      const opened = await open();
      return await work(opened).finally(() => opened.close());
    } catch (error) {
      this.#state.set(project, { error });
      return null;
    }
  }

  /** Probes all memories and returns the most promising ones, best first. */
  async mostPromising(memories: readonly SearchedMemory<Project>[]): Promise<SearchedMemory<Project>[]> {
    const rated: { memory: SearchedMemory<Project>; promise: number }[] = [];
    for (const memory of memories) {
      const promise = await this.visit(memory, async (opened) => {
        const vector = await this.#vectorFor(memory.project, opened);
        return probe(this.#request.query, opened, vector);
      });
      if (promise !== null) rated.push({ memory, promise });
    }
    rated.sort((a, b) => b.promise - a.promise);
    return rated.slice(0, SEARCHED).map(({ memory }) => memory);
  }

  /** Searches a memory in full. */
  async search(project: Project, opened: OpenedMemory): Promise<SearchResult> {
    const vector = await this.#vectorFor(project, opened);
    const embed = vector && (async () => vector.plain);
    const { store, filter } = opened;
    return search({ ...this.#request, filter }, { store, embed });
  }

  coverage(): Coverage<Project> {
    const states = [...this.#state];
    const those = (wanted: unknown) =>
      states.flatMap(([project, state]) => (state === wanted ? [project] : []));
    return {
      searched: [...those("searched"), ...those("words")],
      byWords: those("words"),
      failed: states.flatMap(([project, state]) =>
        typeof state === "object" ? [{ project, error: toMementorError(state.error) }] : [],
      ),
      missed: those("missed"),
    };
  }

  /** Returns the query's vector if this memory has vectors of the same model. Records how the memory is searched. */
  async #vectorFor(project: Project, { store }: OpenedMemory): Promise<QueryVector | null> {
    const { embed } = this.#deps;
    const modelId = await store.modelId();
    this.#state.set(project, "searched");
    if (embed === null || modelId === null || this.#request.mode === "keyword") return null;
    this.#vector ??= embed(modelId).then(
      (plain) => plain && { modelId, plain, cohort: cohortNearness(plain, modelId) },
    );
    const vector = await this.#vector;
    if (vector === null || vector.modelId === modelId) return vector;
    if (this.#request.mode === "vector")
      throw new MementorError("model_invalid", `its vectors are from another model: ${modelId}`);
    this.#state.set(project, "words");
    return null;
  }
}

/**
 * Merges the results of several memories, best first.
 *
 * Scores of different memories cannot be compared, because each is relative to the candidates of its own memory. The gate's
 * probability that a memory answers the query can: it is fitted on memories of different sizes. So a hit counts its memory's
 * probability, times its score as a share of that memory's best.
 */
function merged<Project>(
  found: readonly { project: Project; result: SearchResult }[],
): { hit: RatedHit; project: Project; words: readonly string[] }[] {
  return found
    .flatMap(({ project, result: { hits, explain } }) => {
      const best = Math.max(Number.EPSILON, ...hits.map(({ score }) => score));
      const probability = explain.gate?.probability ?? 0;
      const words = explain.parts.terms.map(({ term }) => term);
      // An amendment comes before the older statement, however well that one matches.
      const worthAt = (at: number) => Math.max(0, ...hits.slice(at).map(({ score }) => score / best));
      return hits.map((hit, at) => ({ hit, project, words, worth: probability * worthAt(at) }));
    })
    .sort((a, b) => b.worth - a.worth)
    .map(({ worth: _, ...each }) => each);
}

/** A query's vector, and its nearness to turns of unrelated projects (null for a model without such data). */
interface QueryVector {
  modelId: string;
  plain: Float32Array;
  cohort: number | null;
}

/**
 * Estimates the probability that a memory answers a query, without loading a turn: by its nearest chunk and by its best turn for
 * the query's words. The estimate, 0 to 1, comes from the gate's model, so that memories of any size can be compared; features
 * that were not measured count as absent. A memory with something that the query names gets 1 more.
 */
async function probe(
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
    nearness: nearest === null || cohort === null ? 0 : 1 - calibrate(nearest, vector?.modelId),
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

/** Returns the same share among the matching turns, estimated from the index's score, which is of the same size. */
async function coverageOf(
  parts: QueryParts,
  { store, filter }: Omit<OpenedMemory, "close">,
): Promise<number> {
  const [best] = await store.keywordTurns(queryKeywords(parts), 1, filter);
  return (best?.score ?? 0) / totalRarity(parts);
}

/** Tells whether the memory has a commit, pull request or file that the query names. */
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

/** One of the memories to search. */
export interface SearchedMemory<Project> {
  project: Project;
  /** Opens the memory for reading. Rejects when it cannot be read. */
  open(): Promise<OpenedMemory>;
}

interface OpenedMemory {
  store: LocalSearchStore;
  /** The filters for this memory. */
  filter: Filter;
  close(): Promise<void>;
}

/** Memories that were not searched like the others. */
interface Coverage<Project> {
  searched: Project[];
  /** Searched by keywords alone, because their vectors are of another model than the query's. */
  byWords: Project[];
  failed: { project: Project; error: MementorError }[];
  /** Not searched, for lack of time. */
  missed: Project[];
}
