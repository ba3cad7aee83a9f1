import { MementorError } from "../../errors.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";
import type { SessionOptions, SessionSource } from "./session.ts";

/** One text in progress and one queued: a worker never waits for this thread. */
const JOBS_PER_WORKER = 2;

/** Several worker threads with one session each. */
export interface EmbeddingPool {
  /** How many texts to submit at once to keep every thread busy. */
  readonly width: number;
  /** Resolves once every thread has loaded the model. */
  ready(): Promise<void>;
  run(ids: readonly number[]): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Starts `size` worker threads. They load the model while the caller prepares the first texts. */
export function openPool(
  source: SessionSource | Promise<SessionSource>,
  options: SessionOptions,
  size: number,
): EmbeddingPool {
  const members = Array.from({ length: size }, () => startMember(source, options));
  return {
    width: size * JOBS_PER_WORKER,
    async ready() {
      await Promise.all(members.map((member) => member.ready));
    },
    run(ids) {
      const idle = members.reduce((best, member) => (member.waiting() < best.waiting() ? member : best));
      return idle.run(ids);
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
  ready: Promise<void>;
  waiting(): number;
  run(ids: readonly number[]): Promise<Float32Array>;
  close(): Promise<void>;
}

function startMember(source: SessionSource | Promise<SessionSource>, options: SessionOptions): Member {
  const worker = new Worker(workerUrl(), { smol: true });
  const jobs = new Map<number, PromiseWithResolvers<Float32Array>>();
  const closed = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  // Not everybody asks whether the model is loaded.
  opened.promise.catch(() => null);
  let broken: MementorError | null = null;
  let lastJob = 0;

  const fail = (message: string) => {
    broken = new MementorError("embedder_unavailable", message);
    for (const { reject } of jobs.values()) reject(broken);
    jobs.clear();
    opened.reject(broken);
    closed.resolve();
  };
  const send = (message: ToWorker) => worker.postMessage(message);

  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.kind === "failed") return fail(data.message);
    if (data.kind === "closed") return closed.resolve();
    if (data.kind === "opened") return opened.resolve();
    jobs.get(data.job)?.resolve(data.vector);
    jobs.delete(data.job);
  };
  worker.onerror = ({ message }) => fail(message);
  // The thread starts while the files are still looked for.
  const asked = Promise.resolve(source).then(
    (found) => send({ kind: "open", source: found, options }),
    (error: unknown) => fail(error instanceof Error ? error.message : String(error)),
  );

  return {
    ready: opened.promise,
    waiting: () => jobs.size,
    run(ids) {
      if (broken !== null) return Promise.reject(broken);
      const job = ++lastJob;
      const pending = Promise.withResolvers<Float32Array>();
      jobs.set(job, pending);
      void asked.then(() => send({ kind: "run", job, ids }));
      return pending.promise;
    },
    /** Disposes of the session before it ends the thread, because the session reads memory of that thread. */
    async close() {
      await asked;
      if (broken === null) send({ kind: "close" });
      await closed.promise;
      fail("the embedder was closed");
      worker.terminate();
    },
  };
}
