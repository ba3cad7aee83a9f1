import { setPriority } from "node:os";
import { defineCommand } from "../command/command.ts";
import { flag } from "../command/option.ts";
import { tryLock } from "../io/lock.ts";
import { takeHookCalls } from "../project/hook-calls.ts";
import { forgetFinished, hasQueued } from "../project/queue.ts";
import { isTrusted } from "../project/trust.ts";
import { besideDatabase, type Runtime } from "../runtime.ts";
import { ingestInto } from "./shared/ingest.ts";
import { readQueued, type Work } from "./shared/queued.ts";
import { warmUp } from "./shared/warm-up.ts";

/** Limits of the background worker. */
const WORKER = {
  nice: 10,
  /** Maximum lifetime: longer than reading years of history takes. */
  maxMs: 2 * 3_600_000,
  /** How often it checks for new notes while it embeds. */
  pollMs: 500,
} as const;

/**
 * Works off what hooks have noted, then ends: one process a project, whoever comes second leaves at once. What is
 * noted while it leaves is seen by the second look, after the lock is free again.
 */
export const command = defineCommand({
  name: "work",
  summary: "Work off what the hooks have noted",
  arguments: {},
  options: { unpack: flag("Unpack first what prompts need") },
  examples: ["mementor work"],
  async run({ options: { unpack } }, runtime) {
    const { directory } = runtime.memory;
    lowerPriority();
    const signal = AbortSignal.any([runtime.host.interrupted(), AbortSignal.timeout(WORKER.maxMs)]);
    if (directory === null || !isTrusted(runtime.paths, runtime.project.root)) return 0;
    do {
      const lock = tryLock(besideDatabase(runtime.memory, "worker.lock"));
      if (!lock) return 0;
      try {
        if (unpack) await unpackFor(runtime);
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

/** Unpacks what a hook found packed; the next prompt is answered with it. */
async function unpackFor(runtime: Runtime): Promise<void> {
  const problem = await warmUp(runtime);
  (await runtime.log()).info("unpack", { problem });
}

async function workOff(directory: string, runtime: Runtime, signal: AbortSignal): Promise<void> {
  const store = await runtime.openStore("create");
  const work = { directory, runtime, store, signal };
  try {
    do {
      await takeHookCalls(directory, (call) => store.journal.recordHookCall(call));
      await readQueued(work);
      await removeOldSecrets(work);
    } while (await embed(work));
    forgetFinished(directory, runtime.host.now());
    await finishForgetting(work);
  } finally {
    await store.close();
  }
}

/** Takes out what the rules of an older version let through; a memory that these rules have seen costs one look. */
async function removeOldSecrets({ runtime, store, signal }: Work): Promise<void> {
  let after = await store.secrets.due();
  if (after === null) return;
  const lock = tryLock(besideDatabase(runtime.memory, "read.lock"));
  if (!lock) return;
  try {
    let changed = 0;
    while (after !== null && !signal.aborted) {
      const step = await store.secrets.clean(after);
      changed += step.changed;
      after = step.next;
    }
    (await runtime.log()).info("look for old secrets", { changed, finished: after === null });
  } finally {
    lock.release();
  }
}

/** Removes the bytes of what was forgotten while another process was reading the memory. */
async function finishForgetting({ runtime, store, signal }: Work): Promise<void> {
  if (signal.aborted || !(await store.file.needsCompact())) return;
  const lock = tryLock(besideDatabase(runtime.memory, "read.lock"));
  if (!lock) return;
  try {
    const rewritten = await store.file.compact(WORKER.pollMs);
    (await runtime.log()).info("finish forgetting", { rewritten });
  } finally {
    lock.release();
  }
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
