import { MementorError, toMementorError } from "../../errors.ts";
import { cohortNearness } from "../cohort.ts";
import { CONFIDENCES, type Confidence, surestFirst } from "../confidence.ts";
import { byWord, type RatedHit, type SearchRequest, type SearchResult, search } from "../search.ts";
import { type Coverage, type OpenedMemory, probe, type QueryVector, type SearchedMemory } from "./probe.ts";

/**
 * Number of memories that are searched in full. With more, all are probed first, and the most promising are searched. A
 * full search costs several times a probe.
 */
const SEARCHED = 8;

export interface AcrossDeps {
  /** Embeds the query with the model of this id; null when that is not possible. Called once. */
  embed: ((modelId: string) => Promise<Float32Array | null>) | null;
  /** Milliseconds until no other memory is opened. */
  timeLeftMs: () => number;
}

export interface AcrossResult<Project> extends Coverage<Project> {
  query: string;
  /** The best of all memories, best first. */
  hits: { hit: RatedHit; project: Project; words: readonly string[] }[];
  confidence: Confidence;
}

/**
 * Searches several memories for one query, which is embedded once, with the model of the first memory that has one. Only
 * one memory is open at a time. A memory that fails is named in the result and does not stop the search.
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
  const { found: hits } = byWord(request.query, merged(found), ({ hit }) => hit.sources);
  return {
    query: request.query,
    hits: surestFirst(hits, ({ hit }) => hit.confidence).slice(0, request.limit),
    confidence: CONFIDENCES[Math.max(0, ...confidences)] ?? "weak",
    ...run.coverage(),
  };
}

/** One search of several memories: the query's vector, and what became of each memory. */
class Run<Project> {
  readonly #request: Omit<SearchRequest, "filter">;
  readonly #deps: AcrossDeps;
  readonly #state = new Map<Project, "searched" | "words" | "missed" | { error: unknown }>();
  #vector: Promise<QueryVector | null> | null = null;

  constructor(request: Omit<SearchRequest, "filter">, deps: AcrossDeps) {
    this.#request = request;
    this.#deps = deps;
  }

  /** Opens a memory, unless the time is over, and closes it. Resolves to null where that failed. */
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

  /** The query's vector, where this memory has vectors of the same model. Notes how the memory is searched. */
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
      throw new MementorError("model_invalid", `its vectors are of another model: ${modelId}`);
    this.#state.set(project, "words");
    return null;
  }
}

/**
 * Merges the results of several memories, best first.
 *
 * The scores of two memories cannot be compared, because each is relative to the candidates of its own memory. The gate's
 * probability that a memory answers the query can: it is fitted on memories of different sizes. So a hit counts its
 * memory's probability, times its score as a share of that memory's best.
 */
function merged<Project>(
  found: readonly { project: Project; result: SearchResult }[],
): { hit: RatedHit; project: Project; words: readonly string[] }[] {
  return found
    .flatMap(({ project, result: { hits, explain } }) => {
      const best = Math.max(Number.EPSILON, ...hits.map(({ score }) => score));
      const probability = explain.gate?.probability ?? 0;
      const words = explain.parts.terms.map(({ term }) => term);
      // What amends an older statement stands before it, however well the older one fits.
      const worthAt = (at: number) => Math.max(0, ...hits.slice(at).map(({ score }) => score / best));
      return hits.map((hit, at) => ({ hit, project, words, worth: probability * worthAt(at) }));
    })
    .sort((a, b) => b.worth - a.worth)
    .map(({ worth: _, ...each }) => each);
}
