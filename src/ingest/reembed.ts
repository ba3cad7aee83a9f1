import type { Embedder } from "../embed/embedder.ts";
import type { IngestStore, ModelStore } from "../store/store.ts";
import { fillVectors, type OnEmbedded } from "./vector-stage.ts";

export interface ReembedDeps {
  store: IngestStore;
  models: ModelStore;
  /** Opens the embedder of a model. */
  openEmbedder: (modelId: string) => Promise<Embedder>;
  onEmbedded?: OnEmbedded | undefined;
  /** Whether to use only half of the cores now. */
  isSparing?: (() => Promise<boolean>) | undefined;
  signal?: AbortSignal | undefined;
}

/** `stopped`: can be continued later; `cancelled`: another model was chosen in the meantime. */
export type Reembedded = { outcome: "switched" | "stopped" | "cancelled"; embedded: number };

/**
 * Embeds every stored chunk and resource with the next model, then makes that model active; until then searches use the
 * old vectors. Vectors are saved in groups, so that this can be stopped or killed, and continued by another call. Returns
 * null if there is no next model. The caller holds the embedding lock.
 */
export async function reembed(deps: ReembedDeps): Promise<Reembedded | null> {
  const { store, models, onEmbedded, isSparing, signal } = deps;
  const next = await models.next();
  if (next === null) return null;
  await using embedder = await deps.openEmbedder(next.id);
  let embedded = 0;
  for (;;) {
    if (signal?.aborted) return { outcome: "stopped", embedded };
    embedded += await fillVectors({ store, embedder, onEmbedded, isSparing, signal });
    // New turns may have been stored in the meantime.
    const outcome = signal?.aborted ? "stopped" : await models.switchTo(next.id);
    if (outcome !== "pending") return { outcome, embedded };
  }
}
