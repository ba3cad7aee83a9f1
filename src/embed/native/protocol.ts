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
