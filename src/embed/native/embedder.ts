import { availableParallelism } from "node:os";
import { MementorError } from "../../errors.ts";
import type { Embedder, IdTokenizer, ModelInfo } from "../embedder.ts";
import { embedInParallel } from "../run.ts";
import {
  type EmbeddingSession,
  loadBinding,
  openSession,
  type SessionOptions,
  type SessionSource,
} from "./session.ts";

/** The use of an embedder: a hook's prompt, which must not wait; the query of a search; or many chunks. */
export type EmbedPurpose = "prompt" | "query" | "ingest";

/** Below this number of texts, one thread finishes before worker threads have loaded their models (0.1 s each). */
const MIN_TEXTS_FOR_POOL = 12;
/** Each worker needs about 70 MB. Two workers are at least as fast as one session with two threads, and keep this thread free. */
const MAX_WORKERS = 2;

/**
 * Creates an embedder on top of ONNX Runtime's native library. Throws `embedder_unavailable` when the library cannot be loaded.
 */
export function createNativeEmbedder(
  model: ModelInfo,
  tokenizer: IdTokenizer,
  source: SessionSource,
  purpose: EmbedPurpose,
): Embedder {
  loadBinding(source.bindingPath);
  const cores = availableParallelism();
  let session: EmbeddingSession | null = null;
  let pool: EmbeddingPool | null = null;
  const idsOf = (text: string) => tokenizer.encode(text, model.maxTokens);
  const here = async (text: string) => {
    session ??= openSession(
      source,
      purpose !== "ingest"
        ? { prepack: source.needsPrepacking, threads: 1 }
        : { prepack: true, threads: cores },
    );
    return session.run(idsOf(text));
  };
  const workers = Math.min(cores, MAX_WORKERS);
  const threads = Math.floor(cores / workers);

  const close = async () => {
    session?.dispose();
    await pool?.close();
  };
  return {
    model,
    runtime: "native",
    tokenizer,
    embed: (text) => (pool === null ? here(text) : pool.run(idsOf(text))),
    embedMany(texts, { isSparing = false } = {}) {
      // Even on one core: this thread must notice signals and new work.
      if (purpose === "ingest" && texts.length >= MIN_TEXTS_FOR_POOL)
        pool ??= openPool(source, { prepack: true, threads }, workers);
      const inPool = pool;
      if (inPool === null) return embedInParallel(texts, 1, here);
      const used = isSparing ? Math.ceil(workers / 2) : workers;
      return embedInParallel(texts, used * JOBS_PER_WORKER, (text) => inPool.run(idsOf(text), used));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Messages to a worker thread. */
export type WorkerRequest =
  | { kind: "open"; source: SessionSource; options: SessionOptions }
  | { kind: "run"; job: number; ids: readonly number[] }
  | { kind: "close" };

/** Messages from a worker thread. */
export type WorkerResponse =
  | { kind: "vector"; job: number; vector: Float32Array }
  | { kind: "failed"; job: number | null; message: string }
  | { kind: "closed" };

/** Jobs to submit per worker: one in progress and one queued, so that a worker never waits for this thread. */
const JOBS_PER_WORKER = 2;

/** A pool of worker threads with one session each. */
interface EmbeddingPool {
  /** Embeds one text in one of the first `workers` threads; in any thread by default. */
  run(ids: readonly number[], workers?: number): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Opens a pool of `size` worker threads. Each thread starts with its first text. */
function openPool(source: SessionSource, options: SessionOptions, size: number): EmbeddingPool {
  const members: Member[] = [];
  return {
    run(ids, workers = size) {
      const idle = members
        .slice(0, workers)
        .reduce<Member | null>(
          (best, member) => (best && member.waiting() >= best.waiting() ? best : member),
          null,
        );
      if (idle && (idle.waiting() === 0 || members.length >= workers)) return idle.run(ids);
      const started = startMember(source, options);
      members.push(started);
      return started.run(ids);
    },
    async close() {
      await Promise.all(members.map((member) => member.close()));
    },
  };
}

/** Path of the worker's module relative to this one, set by the build; undefined when run from source. */
declare const MEMENTOR_EMBED_WORKER: string | undefined;

function workerUrl(): string {
  const path = typeof MEMENTOR_EMBED_WORKER === "string" ? MEMENTOR_EMBED_WORKER : "./worker.ts";
  return new URL(path, import.meta.url).href;
}

interface Member {
  waiting(): number;
  run(ids: readonly number[]): Promise<Float32Array>;
  close(): Promise<void>;
}

function startMember(source: SessionSource, options: SessionOptions): Member {
  const worker = new Worker(workerUrl(), { smol: true });
  const jobs = new Map<number, PromiseWithResolvers<Float32Array>>();
  const closed = Promise.withResolvers<void>();
  let broken: MementorError | null = null;
  let lastJob = 0;

  const fail = (message: string) => {
    broken = new MementorError("embedder_unavailable", message);
    for (const { reject } of jobs.values()) reject(broken);
    jobs.clear();
    closed.resolve();
  };
  const send = (message: WorkerRequest) => worker.postMessage(message);

  worker.onmessage = ({ data }: MessageEvent<WorkerResponse>) => {
    if (data.kind === "failed") return fail(data.message);
    if (data.kind === "closed") return closed.resolve();
    jobs.get(data.job)?.resolve(data.vector);
    jobs.delete(data.job);
  };
  worker.onerror = ({ message }) => fail(message);
  send({ kind: "open", source, options });

  return {
    waiting: () => jobs.size,
    run(ids) {
      if (broken !== null) return Promise.reject(broken);
      const job = ++lastJob;
      const pending = Promise.withResolvers<Float32Array>();
      jobs.set(job, pending);
      send({ kind: "run", job, ids });
      return pending.promise;
    },
    /** Disposes of the sessions before it ends their threads, because a session reads memory of its thread. */
    async close() {
      if (broken === null) send({ kind: "close" });
      await closed.promise;
      fail("the embedder was closed");
      worker.terminate();
    },
  };
}
