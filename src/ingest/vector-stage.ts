import type { Embedder } from "../embed/embedder.ts";
import type { InstalledModel } from "../embed/models/manifest.ts";
import type { ModelSettings } from "../embed/models/settings.ts";
import type { IngestStore, ModelStore } from "../store/store.ts";
import type { PendingChunk, StoredModel, VectorsReady } from "../store/stored.ts";

/** Chunks to fetch from the database at a time: about ten seconds of work. */
const EMBED_PAGE = 512;

/** Vectors per transaction: about a second of work, the most that a kill can lose. */
const VECTORS_PER_TRANSACTION = 64;

/** Called with the number of chunks embedded since the last call, and with the current progress. */
export type OnEmbedded = (chunks: number, ready: VectorsReady) => void;

interface VectorStageDeps {
  store: IngestStore;
  embedder: Embedder;
  onEmbedded?: OnEmbedded | undefined;
  /** Tells, before each page, whether to use only half of the cores. */
  isSparing?: (() => Promise<boolean>) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Embeds chunks that wait for a vector of the embedder's model, the most useful first, then files and URLs: the second stage of
 * an ingest. Resolves to the number of chunks. Can be stopped at any time; the next run continues there. The caller holds the
 * embedding lock.
 */
export async function fillVectors(deps: VectorStageDeps): Promise<number> {
  const embedded = await embedChunks(deps);
  await embedResources(deps);
  return embedded;
}

async function embedChunks(deps: VectorStageDeps): Promise<number> {
  const { store, embedder, onEmbedded, isSparing, signal } = deps;
  const model = embedder.model.id;
  let embedded = 0;
  for (;;) {
    const page = await store.pendingChunks(EMBED_PAGE, model);
    if (page.length === 0 || signal?.aborted) return embedded;
    let ready = await store.vectorsReady(model);
    const texts = page.map(({ content }) => content);
    const options = { isSparing: (await isSparing?.()) ?? false };
    await inBatches(embedder.embedMany(texts, options), signal, async (batch) => {
      const chunks = batch.flatMap(({ index, vector }) => {
        const chunk = page[index];
        return chunk === undefined ? [] : [{ ...chunk, vector }];
      });
      await store.saveVectors(chunks, model);
      embedded += chunks.length;
      ready = withThese(chunks, ready);
      onEmbedded?.(chunks.length, ready);
    });
  }
}

/** Adds chunks to a progress, because counting it again takes long in a large memory. */
function withThese(chunks: readonly PendingChunk[], { first, rest }: VectorsReady): VectorsReady {
  const firsts = chunks.filter(({ rank }) => rank === 0).length;
  return {
    first: { ...first, pending: first.pending - firsts },
    rest: { ...rest, pending: rest.pending - (chunks.length - firsts) },
  };
}

async function embedResources({ store, embedder, isSparing, signal }: VectorStageDeps): Promise<void> {
  const model = embedder.model.id;
  for (;;) {
    const resources = await store.pendingResources(EMBED_PAGE, model);
    if (resources.length === 0 || signal?.aborted) return;
    const options = { isSparing: (await isSparing?.()) ?? false };
    await inBatches(embedder.embedMany(resources, options), signal, async (batch) => {
      await store.saveResources(
        batch.map(({ index, vector }) => ({ resource: resources[index] ?? "", vector })),
        model,
      );
    });
  }
}

/** Collects vectors in groups of one transaction each. Saves vectors made before an abort, too. */
async function inBatches<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal | undefined,
  save: (batch: T[]) => Promise<void>,
): Promise<void> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length >= VECTORS_PER_TRANSACTION) {
      await save(batch);
      batch = [];
    }
    if (signal?.aborted) break;
  }
  if (batch.length > 0) await save(batch);
}

interface ReembedDeps {
  store: IngestStore;
  models: ModelStore;
  /** Opens the embedder of a model. */
  openEmbedder: (modelId: string) => Promise<Embedder>;
  onEmbedded?: OnEmbedded | undefined;
  /** Tells whether to use only half of the cores at the moment. */
  isSparing?: (() => Promise<boolean>) | undefined;
  signal?: AbortSignal | undefined;
}

/** `stopped`: can be continued later; `cancelled`: another model was chosen meanwhile. */
type Reembedded = { outcome: "switched" | "stopped" | "cancelled"; embedded: number };

/**
 * Embeds every stored chunk and resource with the next model, then makes that model active; until then, searches use the old
 * vectors. Saves vectors in groups, so that it can be stopped or killed and continued by another call. Returns null if there is
 * no next model. The caller holds the embedding lock.
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
    // New turns may have been stored meanwhile.
    const outcome = signal?.aborted ? "stopped" : await models.switchTo(next.id);
    if (outcome !== "pending") return { outcome, embedded };
  }
}

/** The facts of a model from its files on this machine. */
interface ModelFacts extends Omit<ModelSettings, "dimensions"> {
  /** Size of all its files; null for the built-in model, which has none. */
  bytes: number | null;
}

/** A model on this machine, or with vectors in the memory. */
export interface ListedModel {
  id: string;
  builtIn: boolean;
  /** `next`: becomes active once its vectors are complete; `kept`: the memory has vectors of it. */
  state: "active" | "next" | "kept" | "unused";
  /** Its origin in the user's words: a path or an id of the hub. */
  source: string;
  dimensions: number;
  /** Null if it is not on this machine. */
  use: ModelFacts | null;
  /** Number of chunks with and without its vector; null if the memory does not know it. */
  vectors: number | null;
  pending: number | null;
}

/** The result of a change of model. */
export interface ModelSwitchResult {
  id: string;
  outcome: Reembedded["outcome"] | "started" | "unchanged";
  /** The model that was active before. */
  former: string;
  embedded: number;
  pending: number;
}

/** The entry of the built-in model. */
interface BuiltInModel {
  id: string;
  dimensions: number;
  maxTokens: number;
}

/** Lists the models on this machine and those with vectors in the memory, the built-in model first. */
export function listModels(
  builtIn: BuiltInModel,
  installed: readonly InstalledModel[],
  stored: readonly StoredModel[],
): ListedModel[] {
  const here: Pick<ListedModel, "id" | "builtIn" | "source" | "dimensions" | "use">[] = [
    {
      id: builtIn.id,
      builtIn: true,
      source: "the binary itself",
      dimensions: builtIn.dimensions,
      use: {
        maxTokens: builtIn.maxTokens,
        pooling: "cls",
        queryPrefix: "",
        documentPrefix: "",
        bytes: null,
      },
    },
    ...installed.map((model) => ({
      id: model.id,
      builtIn: false,
      source: sourceNameOf(model),
      dimensions: model.dimensions,
      use: { ...model, bytes: model.files.reduce((sum, { size }) => sum + size, 0) },
    })),
  ];
  const gone = stored
    .filter(({ id }) => !here.some((model) => model.id === id))
    .map(({ id, dimensions }) => ({ id, builtIn: false, source: "", dimensions, use: null }));
  return [...here, ...gone].map((model) => {
    const known = stored.find(({ id }) => id === model.id);
    return {
      ...model,
      state: known === undefined ? "unused" : known.active ? "active" : known.next ? "next" : "kept",
      vectors: known?.vectors ?? null,
      pending: known?.pending ?? null,
    };
  });
}

function sourceNameOf({ source }: InstalledModel): string {
  return source.kind === "hub" ? `${source.repository}@${source.revision.slice(0, 8)}` : source.path;
}
