import { MementorError } from "../../errors.ts";
import type { SessionOptions, SessionSource } from "./session.ts";

/** Messages to a worker thread. */
export type ToWorker =
  | { kind: "open"; source: SessionSource; options: SessionOptions }
  | { kind: "run"; job: number; ids: readonly number[] }
  | { kind: "close" };

/** Messages from a worker thread. */
export type FromWorker =
  | { kind: "vector"; job: number; vector: Float32Array }
  | { kind: "failed"; job: number | null; message: string }
  | { kind: "closed" };

/** One text in progress and one queued: a worker never waits for this thread. Submit this many per worker at once. */
export const JOBS_PER_WORKER = 2;

/** Several worker threads with one session each. */
export interface EmbeddingPool {
  /** Embeds one text in one of the first `workers` threads, all by default. */
  run(ids: readonly number[], workers?: number): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Opens a pool of `size` worker threads. Each starts with its first text. */
export function openPool(source: SessionSource, options: SessionOptions, size: number): EmbeddingPool {
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
  const send = (message: ToWorker) => worker.postMessage(message);

  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
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
    /** Disposes of the session before it ends the thread, because the session reads memory of that thread. */
    async close() {
      if (broken === null) send({ kind: "close" });
      await closed.promise;
      fail("the embedder was closed");
      worker.terminate();
    },
  };
}
