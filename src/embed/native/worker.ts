import type { FromWorker, ToWorker } from "./protocol.ts";
import { type EmbeddingSession, openSession } from "./session.ts";

declare const self: Worker;

let session: EmbeddingSession | null = null;

/** Entry of a worker thread: opens one session, then embeds one text per message. */
self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  try {
    if (data.kind === "open") session = openSession(data.source, data.options);
    else if (data.kind === "close") close();
    else if (session !== null) answer({ kind: "vector", job: data.job, vector: session.run(data.ids) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    answer({ kind: "failed", job: data.kind === "run" ? data.job : null, message });
  }
};

function close(): void {
  session?.dispose();
  answer({ kind: "closed" });
}

function answer(message: FromWorker): void {
  postMessage(message);
}
