import type { Embedder } from "../../embed/embedder.ts";
import { toMementorError } from "../../errors.ts";
import type { Runtime } from "../../runtime.ts";

/** Unpacks what the binary carries and loads it once, so that no hook has to. Returns why there is no embedder, or null. */
export async function warmUp(runtime: Runtime): Promise<string | null> {
  try {
    const assets = await runtime.assets();
    if (assets.has("sqlite-vec")) await assets.path("sqlite-vec");
    const embedder = await promptEmbedder(runtime);
    await embedder.embed("ready");
    await embedder.close();
    return null;
  } catch (error) {
    return toMementorError(error).message;
  }
}

/** Opens the embedder that hooks will open: of the active model where there is a memory, else the built-in one. */
async function promptEmbedder(runtime: Runtime): Promise<Embedder> {
  const { wasmInHooks } = (await runtime.config()).config.embedding;
  const model = await activeModel(runtime);
  try {
    return await runtime.openEmbedder("prompt", model);
  } catch (error) {
    if (!wasmInHooks || toMementorError(error).code !== "embedder_unavailable") throw error;
    return runtime.openEmbedder("prompt", model, "wasm");
  }
}

async function activeModel(runtime: Runtime): Promise<string | undefined> {
  try {
    const store = await runtime.openStore("readonly");
    const model = await store.models.active();
    await store.close();
    return model?.id;
  } catch {
    return undefined;
  }
}
