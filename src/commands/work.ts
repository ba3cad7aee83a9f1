import { setPriority } from "node:os";
import { hasQueued, type QueuedTranscript, takeQueued } from "../project/queue.ts";
import { besideDatabase, type Runtime } from "../runtime.ts";
import { tryLock } from "../store/lock.ts";
import { discoverTranscripts } from "../transcript/discover.ts";
import type { RunCommand } from "./command.ts";
import { ingestInto } from "./ingest-run.ts";

/** Out of the way of what the user is doing (nice). */
const LOW_PRIORITY = 10;

/**
 * Works off what hooks have noted, then ends: one process a project, whoever comes second leaves at once. What is
 * noted while it leaves is seen by the second look, after the lock is free again.
 */
export const run: RunCommand = async (_input, runtime) => {
  const { directory } = runtime.memory;
  if (directory === null) return 0;
  lowerPriority();
  do {
    const lock = tryLock(besideDatabase(runtime.memory, "worker.lock"));
    if (!lock) return 0;
    try {
      await workOff(directory, runtime);
    } finally {
      lock.release();
    }
  } while (hasQueued(directory));
  return 0;
};

async function workOff(directory: string, runtime: Runtime): Promise<void> {
  const log = await runtime.log();
  const store = await runtime.openStore("create");
  try {
    for (let batch = takeQueued(directory); batch.length > 0; batch = takeQueued(directory)) {
      const report = await ingestInto(store, runtime, { paths: withSubagents(batch), waits: true });
      for (const transcript of batch) transcript.finish();
      const { turns, chunks, failures } = report;
      log.info("ingest", { transcripts: batch.length, turns, chunks, failures: failures.length });
    }
  } catch (error) {
    log.error("worker failed", { error });
  } finally {
    await store.close();
  }
}

async function* withSubagents(batch: readonly QueuedTranscript[]): AsyncIterable<string> {
  for (const { path } of batch) {
    yield* discoverTranscripts(path);
    yield* discoverTranscripts(path.replace(/\.jsonl$/, ""));
  }
}

function lowerPriority(): void {
  try {
    setPriority(LOW_PRIORITY);
  } catch {
    // Not allowed everywhere; the work is the same.
  }
}
