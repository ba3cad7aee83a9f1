import type { Config } from "../config/settings.ts";
import { relatedProjects } from "../recall/across/related.ts";
import { hiddenTurns, isMarkedBad, trustedFilter } from "../recall/hidden.ts";
import { type RecallDeps, recall } from "../recall/recall.ts";
import type { RelatedProject, RelatedRecall } from "../recall/telling/recall.ts";
import type { Runtime } from "../runtime.ts";
import { programCall } from "../setup/program/install-program.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import { shWord } from "../text/lines.ts";
import { hookLimits } from "./memory.ts";
import { toldTurns } from "./related-subject.ts";

/** Maximum turns of a related project in one answer. */
const TURNS = 2;
/** Minimum time before the deadline to open another memory, in ms. */
const MIN_TIME_MS = 150;

/** A prompt, as every memory is asked about it. */
export interface PromptContext {
  prompt: string;
  sessionId: string;
  /** Says whose turns may be told, and how sure they must be. */
  config: Pick<Config, "team" | "recall" | "search">;
  /** What is known of the asking agent: its project's model and instructions, what was said last, and how long it waits. */
  asker: Pick<RecallDeps, "openEmbed" | "isInstructed" | "saidNow" | "timeLeftMs">;
}

/** What the project that asks knows of related ones. */
interface Related {
  /** The model of the asker, which a related memory must share to be searched by meaning. */
  modelId: string | null;
  /** Records of the related projects' turns that this session was told; see `relatedSubject`. */
  told: ReadonlySet<string>;
}

/**
 * Asks the memories of related projects, each with its own gate. A memory that cannot be read is left out; `status` and
 * `doctor` name it.
 */
export async function recallRelated(
  runtime: Runtime,
  context: PromptContext,
  known: Related,
): Promise<RelatedRecall[]> {
  const answers: RelatedRecall[] = [];
  for (const { memory } of await relatedProjects(runtime)) {
    if (memory === null) continue;
    if (context.asker.timeLeftMs() < MIN_TIME_MS) break;
    const { id, name, root } = memory;
    try {
      const store = await runtime.openMemory(memory, hookLimits(runtime));
      const project = { id, name, program: `${programCall(runtime.host)} -C ${shWord(root)}` };
      const answer = await recallIn(store, project, context, known).finally(() => store.close());
      if (answer !== null) answers.push(answer);
    } catch (error) {
      (await runtime.log()).warn("related project", { project: name, error });
    }
  }
  return answers;
}

async function recallIn(
  store: SqliteStore,
  project: RelatedProject,
  { prompt, sessionId, config, asker }: PromptContext,
  { modelId, told }: Related,
): Promise<RelatedRecall | null> {
  const { search, marks } = store;
  const isSameModel = modelId !== null && (await search.modelId()) === modelId;
  const deps: RecallDeps = {
    ...asker,
    store: search,
    browse: store.browse,
    recall: store.recall,
    journal: {
      turnsToldIn: async (id) =>
        id === sessionId ? toldTurns(told, project.id) : store.journal.turnsToldIn(id),
    },
    hidden: (vector) => hiddenTurns(marks, { prompt, vector: isSameModel ? vector : null }),
    isMarkedBad: (vector) => isMarkedBad(marks, { prompt, vector: isSameModel ? vector : null }),
    filter: await trustedFilter(config, store),
    openEmbed: isSameModel ? asker.openEmbed : async () => null,
  };
  const { outcome, told: found } = await recall(prompt, sessionId, deps, {
    limit: TURNS,
    strictness: config.search.gate,
  });
  return outcome === "told" ? { project, told: found } : null;
}
