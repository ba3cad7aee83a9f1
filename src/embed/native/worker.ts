import type { WorkerRequest, WorkerResponse } from "./embedder.ts";
import { type EmbeddingSession, openSession } from "./session.ts";

declare const self: Worker;

/**
 * Runs between garbage collections. Each run leaves up to 0.5 MB outside the heap, which the collector does not count. Collecting
 * this often costs no measurable time and saves more than 100 MB.
 */
const RUNS_PER_COLLECTION = 16;

let session: EmbeddingSession | null = null;
let runs = 0;

/** Handles the messages of a worker thread: opens one session, then embeds one text per message. */
self.onmessage = ({ data }: MessageEvent<WorkerRequest>) => {
  try {
    if (data.kind === "open") session = openSession(data.source, data.options);
    else if (data.kind === "close") close();
    else if (session !== null) run(session, data.job, data.ids);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    answer({ kind: "failed", job: data.kind === "run" ? data.job : null, message });
  }
};

function run(opened: EmbeddingSession, job: number, ids: readonly number[]): void {
  answer({ kind: "vector", job, vector: opened.run(ids) });
  runs += 1;
  if (runs % RUNS_PER_COLLECTION === 0) Bun.gc(true);
}

function close(): void {
  session?.dispose();
  answer({ kind: "closed" });
}

function answer(message: WorkerResponse): void {
  postMessage(message);
}
