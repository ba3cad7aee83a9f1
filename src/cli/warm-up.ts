import type { Embedder } from "../embed/embedder.ts";
import { toMementorError } from "../errors.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Unpacks the files in the binary and loads them once, so that no hook has to. Resolves to the reason why there is no
 * embedder; null when there is one.
 */
export async function warmUp(runtime: Runtime): Promise<string | null> {
  try {
    const assets = await runtime.assets();
    if (assets.has("sqlite-vec")) await assets.path("sqlite-vec");
    const embedder = await usedEmbedder(runtime);
    await embedder.embed("ready");
    await embedder.close();
    return null;
  } catch (error) {
    return toMementorError(error).message;
  }
}

/**
 * Opens the embedder that will be used: of the active model if there is a memory, else of the built-in model. Where
 * there is no native runtime, hooks do without, and searches use WASM.
 */
async function usedEmbedder(runtime: Runtime): Promise<Embedder> {
  const { wasmInHooks } = (await runtime.config()).config.embedding;
  const model = await activeModel(runtime);
  const hasNative = (await runtime.assets()).has("ort-binding");
  return runtime.openEmbedder(hasNative && !wasmInHooks ? "prompt" : "query", model);
}

/** Returns the id of the memory's active model; undefined where there is no memory that can be read. */
export async function activeModel(runtime: Runtime): Promise<string | undefined> {
  try {
    await using store = await runtime.openStore("readonly");
    return (await store.models.active())?.id;
  } catch {
    return undefined;
  }
}
