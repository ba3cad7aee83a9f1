import { exclusionProblem } from "../../config/config.ts";
import { tryLock } from "../../io/lock.ts";
import { type Machine, thisMachine } from "../../io/machine.ts";
import { takeHookCalls } from "../../project/hook-calls.ts";
import { besideDatabase } from "../../project/memory.ts";
import { forgetFinished, hasQueued } from "../../project/queue.ts";
import { readRegistry, recordOf, updateRegistry, withRecord } from "../../project/registry.ts";
import { noteWorktrees, repositoryOf } from "../../project/repository.ts";
import { isTrusted } from "../../project/trust.ts";
import { WORKER_LOCK } from "../../project/worker.ts";
import type { Runtime } from "../../runtime.ts";
import { hasFolders } from "../../sync/folder/settings.ts";
import { hasTeams } from "../../sync/team/settings.ts";
import { warmUp } from "../warm-up.ts";
import { embedInBackground } from "./embed.ts";
import { readQueued, type Work } from "./queued.ts";

/** Limits of the background worker. */
const WORKER = {
  /** Maximum lifetime: longer than reading years of history takes. */
  maxMs: 2 * 3_600_000,
  /** How often it checks the queue while it embeds. */
  pollMs: 500,
} as const;

/** What a test replaces: the machine, and how often the worker looks at it. */
export interface WorkerPlace {
  machine: Machine;
  pollMs: number;
}

/**
 * Processes what the hooks have queued, then ends. Only one process runs per project; a second one ends at once. The
 * queue is checked again after the lock is released, since a hook may have queued something in the meantime. Where it is
 * not known what is to be left out, the queue stays as it is.
 */
export async function work(
  { unpack }: { unpack: boolean },
  runtime: Runtime,
  place: WorkerPlace = { machine: thisMachine(runtime.host.platform), pollMs: WORKER.pollMs },
): Promise<number> {
  const { directory } = runtime.memory;
  place.machine.lowerPriority();
  const signal = AbortSignal.any([runtime.host.interrupted(), AbortSignal.timeout(WORKER.maxMs)]);
  if (directory === null || !isTrusted(runtime.paths, runtime.project.root)) return 0;
  const problem = exclusionProblem(await runtime.config());
  if (problem !== null) (await runtime.log()).warn("nothing is read", { ...problem });
  do {
    const lock = tryLock(besideDatabase(runtime.memory, WORKER_LOCK));
    if (!lock) return 0;
    try {
      if (unpack) await unpackFor(runtime);
      await noteRepository(runtime);
      noteWorktrees(runtime.paths, runtime.project);
      if (problem === null) await processQueue({ directory, runtime, signal }, place);
      else await noteCalls({ directory, runtime });
    } catch (error) {
      // A failed transcript waits for the next event. Retrying at once could go on forever.
      (await runtime.log()).error("worker failed", { error });
      return 1;
    } finally {
      lock.release();
    }
  } while (problem === null && hasQueued(directory) && !signal.aborted);
  return 0;
}

/** Unpacks the files that a hook found packed, for the next prompt. */
async function unpackFor(runtime: Runtime): Promise<void> {
  const problem = await warmUp(runtime);
  (await runtime.log()).info("unpack", { problem });
}

/** Notes once what tells the project's repository, for projects that an older version enabled: they may be moved later. */
async function noteRepository({ host, paths, project }: Runtime): Promise<void> {
  const record = recordOf(readRegistry(paths.configDir), project.root);
  if (record === null || record.repository !== undefined) return;
  const repository = await repositoryOf(project.root, host.env);
  updateRegistry(paths.configDir, (registry) => {
    const current = recordOf(registry, project.root);
    return current === null ? registry : withRecord(registry, { ...current, repository });
  });
}

/** Stores what hooks did, and reads nothing. */
async function noteCalls({ directory, runtime }: Pick<Work, "directory" | "runtime">): Promise<void> {
  await using store = await runtime.openStore("create");
  await takeHookCalls(directory, (call) => store.journal.recordHookCall(call));
}

async function processQueue(begun: Omit<Work, "store">, place: WorkerPlace): Promise<void> {
  const { directory, runtime } = begun;
  await using store = await runtime.openStore("create");
  const work = { ...begun, store };
  const takeCalls = () => takeHookCalls(directory, (call) => store.journal.recordHookCall(call));
  do {
    await takeCalls();
    await readQueued(work);
    await removeOldSecrets(work);
    await indexOldWords(work);
  } while (await embedInBackground({ ...work, ...place }));
  forgetFinished(directory, runtime.host.now());
  await syncWithTeam(work);
  await syncThroughFolder(work);
  await finishForgetting(work);
  // Those of meanwhile: perhaps no other worker comes for a long time.
  await takeCalls();
}

/** A memory without a team loads nothing of it. */
async function syncWithTeam(work: Work): Promise<void> {
  if (!hasTeams(work.runtime.paths.configDir)) return;
  const { syncInBackground } = await import("./sync.ts");
  await syncInBackground(work);
}

async function syncThroughFolder(work: Work): Promise<void> {
  if (!hasFolders(work.runtime.paths.configDir)) return;
  const { syncThroughFolder: sync } = await import("./sync.ts");
  await sync(work);
}

/** Removes secrets that the rules of an older version let through. Costs one query once the memory is clean. */
async function removeOldSecrets({ runtime, store, signal }: Work): Promise<void> {
  let after = await store.secrets.due();
  if (after === null) return;
  using lock = tryLock(besideDatabase(runtime.memory, "read.lock"));
  if (!lock) return;
  let changed = 0;
  while (after !== null && !signal.aborted) {
    const step = await store.secrets.clean(after);
    changed += step.changed;
    after = step.next;
  }
  (await runtime.log()).info("look for old secrets", { changed, finished: after === null });
}

/** Indexes words again that an older version indexed in another way. Costs one query once that is done. */
async function indexOldWords({ runtime, store, signal }: Work): Promise<void> {
  let after = await store.words.due();
  if (after === null) return;
  let changed = 0;
  while (after !== null && !signal.aborted) {
    const step = await store.words.index(after);
    changed += step.changed;
    after = step.next;
  }
  (await runtime.log()).info("index old words", { changed, finished: after === null });
}

/** Removes the bytes of forgotten turns if another process was reading the database at that time. */
async function finishForgetting({ runtime, store, signal }: Work): Promise<void> {
  if (signal.aborted || !(await store.file.needsCompact())) return;
  using lock = tryLock(besideDatabase(runtime.memory, "read.lock"));
  if (!lock) return;
  const rewritten = await store.file.compact(WORKER.pollMs);
  (await runtime.log()).info("finish forgetting", { rewritten });
}
