import { HOOK_LIMITS } from "../constants.ts";
import type { Embedder } from "../embed/embedder.ts";
import { openOrWithout } from "../embed/optional.ts";
import type { MementorError } from "../errors.ts";
import { within } from "../io/within.ts";
import { renderRecall } from "../render/hooks/recall.ts";
import type { Runtime } from "../runtime.ts";
import { recall } from "../search/recall.ts";
import type { SqliteStore } from "../store/sqlite.ts";
import { changedSince } from "./changed-files.ts";
import type { HookCall } from "./hook.ts";

/** What a prompt is told, the turns that are in it, and in a word why it is told nothing. */
export interface PromptRecall {
  text: string | null;
  turnIds: number[];
  decision: string;
}

/** Asks the memory about a prompt; without a model, or when it would be late, keywords answer alone. */
export async function recallFor(
  prompt: string,
  { payload, timeLeftMs }: HookCall,
  memory: Runtime,
  store: SqliteStore,
): Promise<PromptRecall> {
  const { config } = await memory.config();
  let opening: Promise<Embedder | null> | null = null;
  const openEmbed = async () => {
    opening = openPromptEmbedder(memory, store);
    const embedder = await opening;
    return embedder && ((text: string) => embedder.embed(text));
  };
  try {
    const { search, journal, browse } = store;
    const deps = { store: search, journal, openEmbed, timeLeftMs };
    const options = { limit: config.search.promptK, strictness: config.search.gate };
    const { outcome, hits } = await recall(prompt, payload.session_id ?? "", deps, options);
    if (outcome !== "told") return { text: null, turnIds: [], decision: outcome };
    const changed = await changedSince(hits, memory.project.worktreeRoot, browse, () => timeLeftMs() <= 0);
    const told = renderRecall(hits, changed, config.budgets.prompt);
    return { text: told?.text ?? null, turnIds: told?.turnIds ?? [], decision: "nothing" };
  } finally {
    // A process that ends with the model's memory still mapped may crash on its way out.
    if (opening !== null) await within(CLOSE_MS, closed(opening));
  }
}

/** How long an answer waits for a model that is still being loaded or used. */
const CLOSE_MS = HOOK_LIMITS.graceMs / 2;

async function closed(opening: Promise<Embedder | null>): Promise<void> {
  try {
    await (await opening)?.close();
  } catch {
    // It failed to open: there is nothing to close.
  }
}

/** WebAssembly takes most of a second to load: unless the user asks for it, hooks do without. */
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
  const isUnavailable = missing[0]?.code === "embedder_unavailable";
  if (native !== null || runtime !== "auto" || !wasmInHooks || !isUnavailable) return native;
  return openOrWithout(() => memory.openEmbedder("prompt", model, "wasm"), note);
}
