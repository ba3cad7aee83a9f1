import type { ProjectMemory } from "../../project/memories.ts";
import type { Runtime } from "../../runtime.ts";
import type { TurnOutcome } from "../../store/browse.ts";
import type { SearchRequest } from "../search.ts";
import type { FiltersIn } from "./filter.ts";
import { type AcrossResult, searchAcross } from "./fused.ts";
import { allMemories, type LeftOut, openMemory } from "./memories.ts";

/** Time limit for opening further memories, in ms. Results so far are then shown, and missing memories are named. */
const TIME_MS = 5_000;

export interface AllProjectsRequest extends Omit<SearchRequest, "filter"> {
  filters: FiltersIn;
  /** Embeds the query with a model. Resolves to null when the model cannot be loaded. */
  embed: (text: string, modelId: string) => Promise<Float32Array | null>;
}

export interface AllProjectsResult extends Omit<AcrossResult<ProjectMemory>, "failed" | "missed"> {
  leftOut: LeftOut[];
}

/** Searches the memories of all projects. Throws `not_found` when none of them knows a value of a filter. */
export async function searchAllProjects(
  runtime: Runtime,
  { filters, embed, ...request }: AllProjectsRequest,
): Promise<AllProjectsResult> {
  const { host } = runtime;
  const { memories, leftOut } = allMemories(runtime);
  const until = host.elapsedMs() + TIME_MS;
  const searched = memories.map((project) => ({
    project,
    async open() {
      const store = await openMemory(runtime, project);
      try {
        return {
          store: store.search,
          filter: await filters.of(store, project),
          close: () => store.close(),
        };
      } catch (error) {
        await store.close();
        throw error;
      }
    },
  }));
  const { failed, missed, ...found } = await searchAcross(request, searched, {
    embed: (modelId) => embed(request.query, modelId),
    timeLeftMs: () => until - host.elapsedMs(),
  });
  filters.settle();
  const late = missed.map((project) => ({ project, error: null, reason: "no time was left" }));
  return {
    ...found,
    leftOut: [...leftOut, ...failed.map((each) => ({ ...each, reason: null })), ...late],
  };
}

/** Returns the outcomes of found turns, by project and turn. */
export async function findOutcomes(
  runtime: Runtime,
  hits: AllProjectsResult["hits"],
): Promise<Map<ProjectMemory, ReadonlyMap<number, TurnOutcome>>> {
  const outcomes = new Map<ProjectMemory, ReadonlyMap<number, TurnOutcome>>();
  for (const [project, those] of Map.groupBy(hits, (found) => found.project)) {
    const turnIds = those.map(({ hit }) => hit.turn.turnId);
    outcomes.set(project, await outcomesIn(runtime, project, turnIds));
  }
  return outcomes;
}

/** Returns the outcomes in one memory; empty when it has become unreadable, because the hits are shown anyway. */
async function outcomesIn(
  runtime: Runtime,
  project: ProjectMemory,
  turnIds: readonly number[],
): Promise<ReadonlyMap<number, TurnOutcome>> {
  try {
    const store = await openMemory(runtime, project);
    return await store.browse.outcomes(turnIds).finally(() => store.close());
  } catch {
    return new Map();
  }
}
