import { MCP_LIMITS } from "../constants.ts";
import type { Embedder } from "../embed/embedder.ts";
import { MementorError, toMementorError } from "../errors.ts";
import { readPatience } from "../host.ts";
import { withTimeout } from "../io/within.ts";
import { startWorker } from "../project/queue.ts";
import type { Runtime } from "../runtime.ts";

/** Embeds a text with a model, the built-in one when not named. Calls `onMissing` with the reason when it resolves to null. */
type EmbedQuestion = (
  text: string,
  modelId: string | undefined,
  onMissing?: (reason: MementorError) => void,
) => Promise<Float32Array | null>;

/** What is asked of a runtime. */
type ModelRuntime = Pick<Runtime, "host" | "project" | "log"> & {
  withoutUnpacking(): Pick<Runtime, "openEmbedder">;
};

interface Loaded {
  id: string | undefined;
  opening: Promise<Embedder>;
}

/**
 * Returns what embeds the questions of agents. The model loads for the first one, and is unloaded when it is unused for a
 * while. A question that it would keep waiting is answered by words: it is not unpacked meanwhile, and what takes longer than
 * the limit goes on for the next question.
 */
export function questionModel(runtime: ModelRuntime): EmbedQuestion {
  const quick = runtime.withoutUnpacking();
  const limitMs = MCP_LIMITS.modelMs * readPatience(runtime.host.env);
  let loaded: Loaded | null = null;
  let users = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const release = async () => {
    const unused = loaded;
    loaded = null;
    await unused?.opening.then((embedder) => embedder.close()).catch(() => {});
  };
  const vectorOf = async (text: string, id: string | undefined) => {
    if (id !== loaded?.id && users === 1) await release();
    loaded ??= { id, opening: quick.openEmbedder("query", id) };
    if (id !== loaded.id) throw new MementorError("embedder_unavailable", "another model is in use");
    const { opening } = loaded;
    const vector = await withTimeout(
      limitMs,
      opening.then((embedder) => embedder.embed(text)),
    );
    if (vector === null) throw new MementorError("timeout", "the model was not ready in time");
    return vector;
  };
  return async (text, id, onMissing) => {
    clearTimeout(timer);
    users++;
    try {
      return await vectorOf(text, id);
    } catch (error) {
      const reason = toMementorError(error);
      // What failed is tried again for the next question: it may have been unpacked meanwhile.
      if (id === loaded?.id && reason.code !== "timeout") await release();
      if (reason.code === "assets_packed") unpackInBackground(runtime);
      (await runtime.log()).warn("searching by words alone", { error: reason.message });
      onMissing?.(reason);
      return null;
    } finally {
      users--;
      if (users === 0) timer = setTimeout(release, MCP_LIMITS.modelIdleMs).unref();
    }
  };
}

function unpackInBackground({ host, project }: ModelRuntime): void {
  try {
    startWorker(host, project.root, ["--unpack"]);
  } catch {
    // A sandbox may forbid it; then whatever runs outside of it unpacks the model.
  }
}
