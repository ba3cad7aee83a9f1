import { setPriority } from "node:os";
import { filesOfSession, projectSessions, subagentFolder } from "../agents/list.ts";
import { defineCommand } from "../command/command.ts";
import { WORKER } from "../constants.ts";
import { tryLock } from "../io/lock.ts";
import { statIfExists } from "../io/read.ts";
import { takeHookCalls } from "../project/hook-calls.ts";
import {
  enqueue,
  forgetFinished,
  hasQueued,
  isNewer,
  type QueuedTranscript,
  queuedTranscript,
  takeQueued,
  takeSearch,
} from "../project/queue.ts";
import { readRegistry, recordOf } from "../project/registry.ts";
import { isTrusted } from "../project/trust.ts";
import { besideDatabase, type Runtime } from "../runtime.ts";
import type { SqliteStore } from "../store/sqlite.ts";
import { ingestInto } from "./shared/ingest.ts";

/** A project's memory, and when this process has to stop. */
interface Work {
  directory: string;
  runtime: Runtime;
  store: SqliteStore;
  signal: AbortSignal;
}

/**
 * Works off what hooks have noted, then ends: one process a project, whoever comes second leaves at once. What is
 * noted while it leaves is seen by the second look, after the lock is free again.
 */
export const command = defineCommand({
  name: "work",
  summary: "Work off what the hooks have noted",
  arguments: {},
  options: {},
  examples: ["mementor work"],
  async run(_, runtime) {
    const { directory } = runtime.memory;
    lowerPriority();
    const signal = AbortSignal.any([runtime.host.interrupted(), AbortSignal.timeout(WORKER.maxMs)]);
    if (directory === null || !isTrusted(runtime.paths, runtime.project.root)) return 0;
    do {
      const lock = tryLock(besideDatabase(runtime.memory, "worker.lock"));
      if (!lock) return 0;
      try {
        await workOff(directory, runtime, signal);
      } catch (error) {
        // What failed waits for the next event: trying again at once would go on for ever.
        (await runtime.log()).error("worker failed", { error });
        return 1;
      } finally {
        lock.release();
      }
    } while (hasQueued(directory) && !signal.aborted);
    return 0;
  },
});

async function workOff(directory: string, runtime: Runtime, signal: AbortSignal): Promise<void> {
  const store = await runtime.openStore("create");
  const work = { directory, runtime, store, signal };
  try {
    do {
      await takeHookCalls(directory, (call) => store.journal.recordHookCall(call));
      for (let batch = await nextBatch(work); batch.length > 0; batch = await nextBatch(work))
        await readBatch(batch, work);
    } while (await embed(work));
    forgetFinished(directory, runtime.host.now());
    await finishForgetting(work);
  } finally {
    await store.close();
  }
}

/** Removes the bytes of what was forgotten while another process was reading the memory. */
async function finishForgetting({ runtime, store, signal }: Work): Promise<void> {
  if (signal.aborted || !(await store.forget.needsCompact())) return;
  const lock = tryLock(besideDatabase(runtime.memory, "read.lock"));
  if (!lock) return;
  try {
    const rewritten = await store.forget.compact(WORKER.pollMs);
    (await runtime.log()).info("finish forgetting", { rewritten });
  } finally {
    lock.release();
  }
}

async function nextBatch(work: Work): Promise<QueuedTranscript[]> {
  const { directory, signal } = work;
  if (signal.aborted) return [];
  return [...takeQueued(directory), ...(takeSearch(directory) ? await findTranscripts(work) : [])];
}

/** Transcripts of this project that changed since it was enabled, and that no hook has noted. */
async function findTranscripts({ directory, runtime }: Work): Promise<QueuedTranscript[]> {
  const { configDir } = runtime.paths;
  const own = recordOf(readRegistry(configDir), runtime.project.root);
  const since = Date.parse(own?.since ?? "");
  const isWanted = (file: string) =>
    // A file that was copied here is new, whatever its content's age.
    (statIfExists(file)?.ctimeMs ?? 0) > since && isNewer(directory, file);
  const found = await projectSessions(runtime.project, runtime.host, isWanted);
  return found.map((path) => queuedTranscript(directory, path));
}

/** Stores texts and keywords. A batch that fails as a whole is noted again; a single transcript, at its next event. */
async function readBatch(batch: readonly QueuedTranscript[], work: Work): Promise<void> {
  const { directory, runtime, store, signal } = work;
  const log = await runtime.log();
  try {
    const report = await ingestInto(store, runtime, {
      paths: filesOf(batch),
      textOnly: true,
      waits: true,
      signal,
    });
    const failed = (session: string) => report.failures.some(({ path }) => isOfSession(path, session));
    for (const { path, finish } of batch) {
      if (signal.aborted) enqueue(directory, path);
      else if (!failed(path)) finish();
    }
    const { turns, chunks, failures } = report;
    log.info("ingest", { transcripts: batch.length, turns, chunks: chunks.written, failures });
  } catch (error) {
    for (const { path } of batch) enqueue(directory, path);
    throw error;
  }
}

async function* filesOf(batch: readonly QueuedTranscript[]): AsyncIterable<string> {
  for (const { path } of batch) yield* filesOfSession(path);
}

function isOfSession(file: string, sessionFile: string): boolean {
  const folder = subagentFolder(sessionFile);
  return file === sessionFile || (folder !== null && file.startsWith(folder));
}

/** Makes the vectors that are missing. Returns true when it stopped for something new: texts come before vectors. */
async function embed({ directory, runtime, store, signal }: Work): Promise<boolean> {
  const isWanted = (await store.ingest.hasPendingVectors()) || (await store.models.next()) !== null;
  if (signal.aborted || !isWanted) return false;
  const noted = new AbortController();
  const watch = setInterval(() => hasQueued(directory) && noted.abort(), WORKER.pollMs);
  try {
    const stop = AbortSignal.any([signal, noted.signal]);
    const { chunks } = await ingestInto(store, runtime, { paths: [], waits: true, signal: stop });
    (await runtime.log()).info("embed", { embedded: chunks.embedded, pending: chunks.pending });
    return noted.signal.aborted && !signal.aborted;
  } finally {
    clearInterval(watch);
  }
}

function lowerPriority(): void {
  try {
    setPriority(WORKER.nice);
  } catch {
    // Not allowed everywhere; the work is the same.
  }
}
