import type { Config } from "../config/settings.ts";
import { relatedProjects } from "../recall/across/related.ts";
import type { Strictness } from "../recall/gate.ts";
import { hiddenTurns, isMarkedBad, trustedFilter } from "../recall/hidden.ts";
import { type RecallDeps, recall } from "../recall/recall.ts";
import type { RelatedProject, RelatedRecall } from "../recall/telling/recall.ts";
import type { Runtime } from "../runtime.ts";
import { programCall } from "../setup/program/install-program.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import { shWord } from "../text/lines.ts";
import { hookLimits } from "./memory.ts";
import { toldTurns } from "./related-subject.ts";

/** Turns of a related project in one answer, at most. */
const TURNS = 2;
/** With less time than this before the deadline, no other memory is opened, in ms. */
const MIN_TIME_MS = 150;

export interface RelatedRequest {
  prompt: string;
  sessionId: string;
  /** Says whose turns may be told. */
  config: Pick<Config, "team" | "recall">;
  strictness: Strictness;
  /** Embeds with this project's model, which a related memory must share to be searched by meaning. */
  openEmbed: RecallDeps["openEmbed"];
  /** Whether this project's instructions have a statement. */
  isInstructed: NonNullable<RecallDeps["isInstructed"]>;
  /** Reads what this session said last, which a related memory does not have. */
  saidNow: NonNullable<RecallDeps["saidNow"]>;
  modelId: string | null;
  /** What this session was told from related projects: see `relatedSubject`. */
  told: ReadonlySet<string>;
  timeLeftMs: () => number;
}

/**
 * Asks the memories of related projects, each with its own gate. A memory that cannot be read is left out; `status` and
 * `doctor` name it.
 */
export async function recallRelated(runtime: Runtime, request: RelatedRequest): Promise<RelatedRecall[]> {
  const answers: RelatedRecall[] = [];
  for (const { memory } of await relatedProjects(runtime)) {
    if (memory === null) continue;
    if (request.timeLeftMs() < MIN_TIME_MS) break;
    const { id, name, root } = memory;
    try {
      const store = await runtime.openMemory(memory, hookLimits(runtime));
      const project = { id, name, program: `${programCall(runtime.host)} -C ${shWord(root)}` };
      const answer = await recallIn(store, project, request).finally(() => store.close());
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
  request: RelatedRequest,
): Promise<RelatedRecall | null> {
  const { prompt, sessionId, strictness, isInstructed, openEmbed, saidNow, modelId, told, timeLeftMs } =
    request;
  const { search, marks } = store;
  const isSameModel = modelId !== null && (await search.modelId()) === modelId;
  const deps: RecallDeps = {
    store: search,
    browse: store.browse,
    recall: store.recall,
    journal: {
      turnsToldIn: async (id) =>
        id === sessionId ? toldTurns(told, project.id) : store.journal.turnsToldIn(id),
    },
    hidden: (vector) => hiddenTurns(marks, { prompt, vector: isSameModel ? vector : null }),
    isMarkedBad: (vector) => isMarkedBad(marks, { prompt, vector: isSameModel ? vector : null }),
    filter: await trustedFilter(request.config, store),
    isInstructed,
    openEmbed: isSameModel ? openEmbed : async () => null,
    saidNow,
    timeLeftMs,
  };
  const { outcome, told: found } = await recall(prompt, sessionId, deps, { limit: TURNS, strictness });
  return outcome === "told" ? { project, told: found } : null;
}
