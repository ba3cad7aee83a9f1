import { HOOK_LIMITS } from "../constants.ts";
import type { Embedder } from "../embed/embedder.ts";
import { openOrWithout } from "../embed/optional.ts";
import type { MementorError } from "../errors.ts";
import { within } from "../io/within.ts";
import { startWorker } from "../project/worker.ts";
import { type RelatedRecall, renderRecall } from "../render/hooks/recall.ts";
import type { Runtime } from "../runtime.ts";
import { hiddenTurns } from "../search/hidden.ts";
import { recall } from "../search/recall.ts";
import type { SqliteStore } from "../store/sqlite.ts";
import { changedSince } from "./changed-files.ts";
import type { Grounds, HookCall } from "./hook.ts";
import type { RelatedRequest } from "./related-recall.ts";
import { relatedSubject } from "./related-subject.ts";

/** The text for a prompt and what it is based on, and the reason when there is no text. */
export interface PromptRecall {
  text: string | null;
  /** The same without what related projects said. */
  recordedText: string | null;
  /** What the journal records of the turns of related projects in the text. */
  relatedSubjects: string[];
  decision: string;
  grounds: Omit<Grounds, "prompt">;
}

/** Length of a passage's start in `mementor told`, in characters. */
const PASSAGE_START = 160;

/** Searches the memory for a prompt. Without a model, or when time runs out, it searches by keywords alone. */
export async function recallFor(
  prompt: string,
  { payload, timeLeftMs }: HookCall,
  memory: Runtime,
  store: SqliteStore,
): Promise<PromptRecall> {
  const { config } = await memory.config();
  let opening: Promise<Embedder | null> | null = null;
  const vectors = new Map<string, Promise<Float32Array>>();
  const openEmbed = async () => {
    opening ??= openPromptEmbedder(memory, store);
    const embedder = await opening;
    return (
      embedder &&
      ((text: string) => {
        const vector = vectors.get(text) ?? embedder.embed(text);
        vectors.set(text, vector);
        return vector;
      })
    );
  };
  try {
    const { search, journal, marks, browse } = store;
    const hidden = (vector: Float32Array | null) => hiddenTurns(marks, { prompt, vector });
    const deps = { store: search, journal, hidden, openEmbed, timeLeftMs };
    const options = { limit: config.search.promptK, strictness: config.search.gate };
    const sessionId = payload.session_id ?? "";
    const { outcome, hits, later, gate } = await recall(prompt, sessionId, deps, options);
    const request = { prompt, sessionId, strictness: config.search.gate, openEmbed, timeLeftMs };
    const related =
      config.recall.related.length === 0 || outcome === "trivial"
        ? []
        : await relatedAnswers(memory, store, request);
    if (outcome !== "told" && related.length === 0)
      return { ...NOTHING, decision: outcome, grounds: { turns: [], gate } };
    const changed = await changedSince(hits, memory.project.worktreeRoot, browse, () => timeLeftMs() <= 0);
    const rendered = renderRecall(hits, changed, {
      ...{ later, related, budget: config.budgets.prompt, now: memory.host.now() },
      ...(gate && { probability: gate.probability }),
    });
    const shown = new Set(rendered?.turnIds);
    const turns = [...hits, ...later.values()]
      .filter(({ turn }) => shown.has(turn.turnId))
      .map(({ turn, passage }) => ({ turnId: turn.turnId, passage: passage.slice(0, PASSAGE_START) }));
    return {
      text: rendered?.text ?? null,
      recordedText: rendered?.kept ?? null,
      relatedSubjects: (rendered?.related ?? []).flatMap(({ project, turnIds }) =>
        turnIds.map((turnId) => relatedSubject(project.id, turnId)),
      ),
      decision: "nothing",
      grounds: { turns, gate },
    };
  } finally {
    // A process that exits while the model's memory is still mapped may crash.
    if (opening !== null) await within(CLOSE_MS, closed(opening));
  }
}

const NOTHING = { text: null, recordedText: null, relatedSubjects: [] };

/** Asks the memories of related projects. */
async function relatedAnswers(
  memory: Runtime,
  { search, journal }: SqliteStore,
  request: Omit<RelatedRequest, "told" | "modelId">,
): Promise<RelatedRecall[]> {
  const { recallRelated } = await import("./related-recall.ts");
  const told = await journal.injectedSubjects(request.sessionId, "user-prompt-submit");
  return recallRelated(memory, { ...request, told, modelId: await search.modelId() });
}

/** How long an answer waits for a model that is still loading or in use. */
const CLOSE_MS = HOOK_LIMITS.graceMs / 2;

async function closed(opening: Promise<Embedder | null>): Promise<void> {
  try {
    await (await opening)?.close();
  } catch {
    // The model failed to open, so there is nothing to close.
  }
}

/** WebAssembly takes most of a second to load. Hooks use it only when the configuration asks for it. */
async function openPromptEmbedder(memory: Runtime, { models }: SqliteStore): Promise<Embedder | null> {
  const { runtime, wasmInHooks } = (await memory.config()).config.embedding;
  if (runtime === "wasm" && !wasmInHooks) return null;
  const model = (await models.active())?.id;
  const missing: MementorError[] = [];
  const note = async (error: MementorError) => {
    missing.push(error);
    (await memory.log()).warn("embedder", { error });
  };
  const native = await openOrWithout(() => memory.openEmbedder("prompt", model), note);
  if (missing[0]?.code === "assets_packed") startWorker(memory.host, memory.project.root, ["--unpack"]);
  const isUnavailable = missing[0]?.code === "embedder_unavailable";
  if (native !== null || runtime !== "auto" || !wasmInHooks || !isUnavailable) return native;
  return openOrWithout(() => memory.openEmbedder("prompt", model, "wasm"), note);
}
