import { BUILT_IN_MODEL } from "../constants.ts";
import type { Embedder } from "../embed/embedder.ts";
import { openOrWithout } from "../embed/optional.ts";
import { type MementorError, toMementorError } from "../errors.ts";
import { withTimeout } from "../io/within.ts";
import { startWorker } from "../project/queue.ts";
import type { Runtime } from "../runtime.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import { hookTimes } from "./hook.ts";

/** The model for a prompt. */
export interface PromptModel {
  /**
   * Returns a function that embeds a text with the memory's model; null without a model. The function resolves to null for a text
   * that it cannot embed.
   */
  of(store: SqliteStore): Promise<((text: string) => Promise<Float32Array | null>) | null>;
  close(): Promise<void>;
}

/** Returns the model for a prompt, which is loaded when it is first asked for. */
export function promptModel(memory: Runtime): PromptModel {
  const opened = new Map<string, Promise<Embedder | null>>();
  const open = (id: string) => {
    const opening = opened.get(id) ?? openPromptEmbedder(memory, id);
    opened.set(id, opening);
    return opening;
  };
  const vectors = new Map<string, Promise<Float32Array | null>>();
  const { closeMs } = hookTimes(memory.host.env);
  return {
    async of({ models }) {
      const active = (await models.active())?.id ?? BUILT_IN_MODEL.id;
      const embedder = await open(active);
      if (embedder === null) return null;
      return (text) => {
        const vector = vectors.get(text) ?? vectorOf(text, embedder, memory);
        vectors.set(text, vector);
        return vector;
      };
    },
    /** Closes the models, because a process that exits while a model's memory is mapped may crash. */
    async close() {
      await withTimeout(closeMs, Promise.all([...opened.values()].map(closed)));
    },
  };
}

async function vectorOf(text: string, embedder: Embedder, memory: Runtime): Promise<Float32Array | null> {
  try {
    return await embedder.embed(text);
  } catch (error) {
    (await memory.log()).warn("embedder", { error: toMementorError(error) });
    return null;
  }
}

async function closed(opening: Promise<Embedder | null>): Promise<void> {
  try {
    await (await opening)?.close();
  } catch {
    // The model failed to open, so there is nothing to close.
  }
}

/**
 * Opens the embedder for prompts. WebAssembly takes most of a second to load, so hooks use it only if the configuration says so.
 */
async function openPromptEmbedder(memory: Runtime, model: string): Promise<Embedder | null> {
  const { runtime, wasmInHooks } = (await memory.config()).config.embedding;
  if (runtime === "wasm" && !wasmInHooks) return null;
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
