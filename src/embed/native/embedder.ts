import { availableParallelism } from "node:os";
import type { Embedder, IdTokenizer, ModelInfo } from "../embedder.ts";
import { embedInParallel } from "../run.ts";
import { loadBinding } from "./binding.ts";
import { type EmbeddingPool, JOBS_PER_WORKER, openPool } from "./pool.ts";
import { type EmbeddingSession, openSession, type SessionSource } from "./session.ts";

/** What an embedder is for: the prompt of a hook, which must not wait; the query of a search; or many chunks. */
export type Purpose = "prompt" | "query" | "ingest";

/** Fewer texts are done before worker threads would have loaded their models (0.1 s each). */
const MIN_TEXTS_FOR_POOL = 12;
/**
 * Each worker needs about 70 MB. Two workers are at least as fast as one session with two threads, and they keep this
 * thread free.
 */
const MAX_WORKERS = 2;

/** Creates an embedder on top of ONNX Runtime's native library. Throws `embedder_unavailable` when that cannot be loaded. */
export function createNativeEmbedder(
  model: ModelInfo,
  tokenizer: IdTokenizer,
  source: SessionSource,
  purpose: Purpose,
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
      // On one core, too: this thread must notice signals and new work.
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
