import type { SessionOptions, SessionSource } from "./session.ts";

/** What a worker thread is told. */
export type ToWorker =
  | { kind: "open"; source: SessionSource; options: SessionOptions }
  | { kind: "run"; job: number; ids: readonly number[] }
  | { kind: "close" };

/** What it answers. */
export type FromWorker =
  | { kind: "vector"; job: number; vector: Float32Array }
  | { kind: "failed"; job: number | null; message: string }
  | { kind: "closed" };
