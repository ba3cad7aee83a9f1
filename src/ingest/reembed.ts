import type { Embedder } from "../embed/embedder.ts";
import type { IngestStore, ModelStore } from "../store/store.ts";
import { fillVectors } from "./vector-stage.ts";

export interface ReembedDeps {
  store: IngestStore;
  models: ModelStore;
  /** Opens the embedder of a model. */
  openEmbedder: (modelId: string) => Promise<Embedder>;
  /** Called with the number of chunks embedded since the last call. */
  onEmbedded?: (chunks: number) => void;
  signal?: AbortSignal;
}

/** `stopped`: to be gone on with later; `cancelled`: another model was asked for in the meantime. */
export type Reembedded = { outcome: "switched" | "stopped" | "cancelled"; embedded: number };

/**
 * Gives every chunk and resource of the memory a vector of the next model, from the stored texts, and then makes that
 * model the active one; until then the old vectors serve. What is embedded is saved as it goes, so that this can be
 * stopped, or killed, and called again. Returns null where no model is next. The caller holds the embedding lock.
 */
export async function reembed(deps: ReembedDeps): Promise<Reembedded | null> {
  const { store, models, onEmbedded, signal } = deps;
  const next = await models.next();
  if (next === null) return null;
  const embedder = await deps.openEmbedder(next.id);
  let embedded = 0;
  try {
    for (;;) {
      if (signal?.aborted) return { outcome: "stopped", embedded };
      embedded += await fillVectors({
        store,
        embedder,
        ...(onEmbedded && { onEmbedded }),
        ...(signal && { signal }),
      });
      // New turns may have come meanwhile.
      const outcome = signal?.aborted ? "stopped" : await models.switchTo(next.id);
      if (outcome !== "pending") return { outcome, embedded };
    }
  } finally {
    await embedder.close();
  }
}
