import { readStamp } from "../agents/list.ts";
import type { Embedder, Tokenizer } from "../embed/embedder.ts";
import { openOrWithout } from "../embed/optional.ts";
import { MementorError, toMementorError } from "../errors.ts";
import type { IngestStore, ModelStore } from "../store/store.ts";
import type { VectorsReady } from "../store/stored.ts";
import { type Excludes, globTest } from "./exclude.ts";
import { ingestLost, type LostSession, type TranscriptDeps } from "./lost-sessions.ts";
import { addCounts, emptyReport, type IngestReport } from "./report.ts";
import { BlockReader } from "./transcript/lines.ts";
import { READER_VERSION } from "./transcript/state.ts";
import type { FindRoots } from "./transcript/transcript.ts";
import { ingestTranscript, type TranscriptReport, unreadableReport } from "./transcript.ts";
import { fillVectors, type OnEmbedded, reembed } from "./vector-stage.ts";

/** A stage of an ingest. Each has its own lock: one process may embed while another stores new text. */
export type IngestStage = "read" | "embed";

export interface IngestDeps {
  store: IngestStore;
  models: ModelStore;
  /** Takes the lock of a stage; null if it is not free within the caller's waiting time. */
  lock: (stage: IngestStage) => Promise<Disposable | null>;
  openTokenizer: () => Promise<Tokenizer>;
  /** Opens the embedder of a model. */
  openEmbedder: (modelId: string) => Promise<Embedder>;
  rootsOf: FindRoots;
  redact: (text: string) => string;
  excludes: Excludes;
  /** Tells whether a turn was said in another project; absent where the user named the transcripts. */
  isElsewhere?: TranscriptDeps["isElsewhere"] | undefined;
  /** Sessions of which only an agent's list of prompts is left; absent to skip them. */
  lost?: readonly LostSession[] | undefined;
  /** Monotonic clock in ms. */
  elapsedMs: () => number;
  onSkip?: ((skip: { kind: string; path: string; lineIndex: number }) => void) | undefined;
  /** Called when a stage starts and has work to do. */
  onStage?: (stage: IngestStage) => Promise<void>;
  onProgress?: ((progress: IngestProgress) => void) | undefined;
  /** Called when vectors cannot be made here. Text and keywords are stored anyway. */
  onNoEmbedder?: (error: unknown) => void;
  /** Tells whether to use only half of the cores at the moment. */
  isSparing?: (() => Promise<boolean>) | undefined;
  signal?: AbortSignal | undefined;
}

/** Progress since the last call. */
export interface IngestProgress {
  stage: IngestStage;
  /** Number of bytes of transcripts, or of chunks. */
  done: number;
  /** Number of turns that were stored, and can be found. */
  turns?: number;
  /** Progress of the vectors. */
  ready?: VectorsReady;
}

/** Reads transcripts into the store and then, unless `textOnly`, embeds all chunks without a vector. */
export async function runIngest(
  paths: AsyncIterable<string> | Iterable<string>,
  deps: IngestDeps,
  options: { textOnly?: boolean } = {},
): Promise<IngestReport> {
  const report = emptyReport();
  await locked("read", deps, () => readStage(paths, deps, report));
  if (!options.textOnly && !deps.signal?.aborted) await locked("embed", deps, () => embedStage(deps, report));
  report.chunks.pending = await deps.store.pendingCount();
  return report;
}

async function locked(stage: IngestStage, deps: IngestDeps, work: () => Promise<void>): Promise<void> {
  using lock = await deps.lock(stage);
  if (!lock) return;
  await work();
}

async function readStage(
  paths: AsyncIterable<string> | Iterable<string>,
  deps: IngestDeps,
  report: IngestReport,
): Promise<void> {
  const { onProgress, onSkip, signal } = deps;
  await deps.onStage?.("read");
  let tokenizer: Promise<Tokenizer> | undefined;
  const textStage = {
    store: deps.store,
    tokenizer: () => (tokenizer ??= deps.openTokenizer()),
    rootsOf: rememberedRoots(deps.rootsOf),
    redact: deps.redact,
    blocks: new BlockReader(),
    isPathExcluded: globTest(deps.excludes.paths),
    isProjectExcluded: globTest(deps.excludes.projects),
    isElsewhere: deps.isElsewhere ?? (() => false),
    now: deps.elapsedMs,
    onSkip,
    onBytes: onProgress && ((done: number, turns: number) => onProgress({ stage: "read", done, turns })),
    signal,
  };
  await ingestTexts(paths, textStage, report);
  if (deps.lost !== undefined) await ingestLost(deps.lost, textStage, report);
  await rereadOutdated(textStage);
}

async function embedStage(deps: IngestDeps, report: IngestReport): Promise<void> {
  const startedAt = deps.elapsedMs();
  try {
    report.chunks.embedded += await embedActive(deps);
    if (!deps.signal?.aborted) await embedNext(deps);
  } finally {
    report.seconds.embed += (deps.elapsedMs() - startedAt) / 1000;
  }
}

async function embedActive(deps: IngestDeps): Promise<number> {
  const { store, models, onProgress, isSparing, signal } = deps;
  const active = await models.active();
  if (active === null || !(await store.hasPendingVectors())) return 0;
  await using embedder = await openOrWithout(
    () => deps.openEmbedder(active.id),
    (reason) => deps.onNoEmbedder?.(reason),
  );
  if (!embedder) return 0;
  await deps.onStage?.("embed");
  const onEmbedded: OnEmbedded | undefined =
    onProgress && ((done, ready) => onProgress({ stage: "embed", done, ready }));
  const embedded = await fillVectors({ store, embedder, onEmbedded, isSparing, signal });
  await store.refreshAccessPatterns();
  return embedded;
}

const OF_MODEL: ReadonlySet<string> = new Set(["embedder_unavailable", "model_invalid"]);

/** Continues an interrupted change of model. */
async function embedNext(deps: IngestDeps): Promise<void> {
  const { store, models, openEmbedder, isSparing, signal } = deps;
  try {
    await reembed({ store, models, openEmbedder, isSparing, signal });
  } catch (error) {
    const isOfModel = error instanceof MementorError && OF_MODEL.has(error.code);
    if (!isOfModel) throw error;
    deps.onNoEmbedder?.(error);
  }
}

/**
 * Rereads transcripts that an older version of the reader has read, so that their turns get the content that it left out. Turns
 * keep their ids, forgotten turns stay forgotten, and unchanged text keeps its vectors. Turns of a deleted transcript stay as
 * they are. Can be stopped at any time; the next call continues with the same transcript. The caller holds the ingest lock.
 */
async function rereadOutdated(deps: TranscriptDeps): Promise<void> {
  for (const path of await deps.store.sourcesReadBefore(READER_VERSION)) {
    if (deps.signal?.aborted) return;
    if (readStamp(path) === null) await deps.store.setReaderVersion(path, READER_VERSION);
    else await ingestTranscript(path, deps);
  }
}

/** Maximum cached directories, more than anyone works in. Bounds the memory that a hostile transcript can take. */
const MAX_DIRECTORIES = 1_000;

/** Caches the roots of directories, so that each is looked up once. A project has few directories. */
export function rememberedRoots(rootsOf: FindRoots): FindRoots {
  const known = new Map<string, readonly string[]>();
  return (cwd) => {
    const before = known.get(cwd);
    if (before) return before;
    const roots = rootsOf(cwd);
    if (known.size < MAX_DIRECTORIES) known.set(cwd, roots);
    return roots;
  };
}

interface TextStageDeps extends TranscriptDeps {
  onFile?: (path: string) => void;
  now: () => number;
}

/**
 * Stores text, keywords and mentions of every transcript, the first stage of an ingest, so that they can be searched at once.
 * Reports an unreadable transcript and continues with the others. The caller holds the ingest lock.
 */
async function ingestTexts(
  paths: AsyncIterable<string> | Iterable<string>,
  deps: TextStageDeps,
  report: IngestReport,
): Promise<void> {
  const startedAt = deps.now();
  const sessions = new Set<string>();
  for await (const path of paths) {
    if (deps.signal?.aborted) break;
    deps.onFile?.(path);
    const file = await ingestTranscript(path, deps).catch(unexpected);
    add(report, sessions, file);
    if (file.failure) report.failures.push({ path, message: file.failure.message });
  }
  report.sessions += sessions.size;
  report.seconds.read += (deps.now() - startedAt) / 1000;
}

/**
 * Returns the report of an unexpected error, a bug that concerns only this transcript. An error of the memory ends the ingest
 * instead.
 */
function unexpected(error: unknown): TranscriptReport {
  if (error instanceof MementorError) throw error;
  return unreadableReport(toMementorError(error));
}

function add(report: IngestReport, sessions: Set<string>, file: TranscriptReport): void {
  if (file.outcome === "unchanged") {
    report.files.unchanged += 1;
    return;
  }
  report.files[file.failure ? "failed" : file.excluded ? "excluded" : "read"] += 1;
  if (file.outcome === "rewritten") report.files.rewritten += 1;
  for (const session of file.sessions) sessions.add(session);
  report.turns.inserted += file.written.turnsInserted;
  report.turns.updated += file.written.turnsUpdated;
  report.chunks.written += file.written.chunksWritten;
  report.chunks.reused += file.written.vectorsReused;
  if (file.unindexed > 0) report.unindexed = (report.unindexed ?? 0) + file.unindexed;
  report.lines.total += file.lines.total;
  report.lines.indexed += file.lines.indexed;
  addCounts(report.lines.skipped, file.lines.skipped);
}
