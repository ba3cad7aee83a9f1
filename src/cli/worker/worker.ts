import { exclusionProblem } from "../../config/config.ts";
import { isLocked, tryLock } from "../../io/lock.ts";
import { type CpuTimes, type Machine, thisMachine } from "../../io/machine.ts";
import { statIfExists } from "../../io/read.ts";
import { keepPlace } from "../../project/data-place.ts";
import { takeHookCalls } from "../../project/hook-calls.ts";
import { besideDatabase } from "../../project/memory.ts";
import { EMBED_NOW_LOCK, forgetFinished, hasQueued, PAUSED_LOCK, WORKER_LOCK } from "../../project/queue.ts";
import { findRecord, readRegistry, updateRegistry, withRecord } from "../../project/registry.ts";
import { noteWorktrees, readRepository } from "../../project/repository.ts";
import { isTrusted } from "../../project/trust.ts";
import type { Runtime } from "../../runtime.ts";
import { hasFolders } from "../../sync/folder/settings.ts";
import { hasTeams } from "../../sync/team/settings.ts";
import { ingestInto } from "../ingest.ts";
import { warmUp } from "../warm-up.ts";
import { ingestQueue, type WorkContext } from "./queued.ts";

/** Limits of the background worker. */
const WORKER = {
  /** Maximum lifetime: longer than reading years of history takes. */
  maxMs: 2 * 3_600_000,
  /** How often it checks the queue while it embeds. */
  pollMs: 500,
} as const;

/** What a test replaces. */
interface WorkerPlace {
  /** Whose load the worker watches. */
  machine: Machine;
  /** How often it looks at that and for queued work, in ms. */
  pollMs: number;
}

/**
 * Processes what the hooks have queued, then ends. Only one process runs per project; a second one ends at once. The
 * queue is checked again after the lock is released, since a hook may have queued something in the meantime. Where it is
 * not known what is to be left out, the queue stays as it is.
 */
export async function runQueue(
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
      keepPlace(runtime.paths);
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
  const record = findRecord(readRegistry(paths.configDir), project.root);
  if (record === null || record.repository !== undefined) return;
  const repository = await readRepository(project.root, host.env);
  updateRegistry(paths.configDir, (registry) => {
    const current = findRecord(registry, project.root);
    return current === null ? registry : withRecord(registry, { ...current, repository });
  });
}

/** Stores what hooks did, and reads nothing. */
async function noteCalls({ directory, runtime }: Pick<WorkContext, "directory" | "runtime">): Promise<void> {
  await using store = await runtime.openStore("create");
  await takeHookCalls({ directory, dataDir: runtime.paths.dataDir }, (call) =>
    store.journal.recordHookCall(call),
  );
}

async function processQueue(begun: Omit<WorkContext, "store">, place: WorkerPlace): Promise<void> {
  const { directory, runtime } = begun;
  await using store = await runtime.openStore("create");
  const work = { ...begun, store };
  const queue = { directory, dataDir: runtime.paths.dataDir };
  const takeCalls = () => takeHookCalls(queue, (call) => store.journal.recordHookCall(call));
  do {
    await takeCalls();
    await ingestQueue(work);
    await removeOldSecrets(work);
    await indexOldWords(work);
  } while (await embedInBackground({ ...work, ...place }));
  forgetFinished(directory, runtime.host.now());
  await syncWithTeam(work);
  await syncThroughFolder(work);
  await finishForgetting(work);
  // Also take calls recorded meanwhile, because the next worker may come much later.
  await takeCalls();
}

/** A memory without a team loads nothing of it. */
async function syncWithTeam(work: WorkContext): Promise<void> {
  if (!hasTeams(work.runtime.paths.configDir)) return;
  const { syncInBackground } = await import("./sync.ts");
  await syncInBackground(work);
}

async function syncThroughFolder(work: WorkContext): Promise<void> {
  if (!hasFolders(work.runtime.paths.configDir)) return;
  const { syncThroughFolder: sync } = await import("./sync.ts");
  await sync(work);
}

/** Removes secrets that the rules of an older version let through. Costs one query once the memory is clean. */
async function removeOldSecrets({ runtime, store, signal }: WorkContext): Promise<void> {
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
async function indexOldWords({ runtime, store, signal }: WorkContext): Promise<void> {
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
async function finishForgetting({ runtime, store, signal }: WorkContext): Promise<void> {
  if (signal.aborted || !(await store.file.needsCompact())) return;
  using lock = tryLock(besideDatabase(runtime.memory, "read.lock"));
  if (!lock) return;
  const rewritten = await store.file.compact(WORKER.pollMs);
  (await runtime.log()).info("finish forgetting", { rewritten });
}

/** Reason why embedding stopped: finished, or more urgent work. */
type Ending = "done" | "queued" | "left" | "busy";

type BackgroundEmbedding = WorkContext & WorkerPlace;

/**
 * Makes missing vectors, with pauses while other programs need the machine. Between two times of work nothing is held:
 * neither the lock nor the model. Returns true when it stopped because something new was queued: texts come before
 * vectors.
 */
async function embedInBackground(work: BackgroundEmbedding): Promise<boolean> {
  const { runtime, store, signal, machine } = work;
  const { saveEnergy } = (await runtime.config()).config.embedding;
  const yielding = saveEnergy ? new LoadGovernor(machine) : null;
  for (;;) {
    const isWanted = (await store.ingest.hasPendingVectors()) || (await store.models.next()) !== null;
    if (!isWanted || signal.aborted) return false;
    const ending = await embed(work, yielding);
    if (ending !== "busy") return ending === "queued";
    if ((await pause(work, yielding)) === "queued") return true;
  }
}

async function embed(work: BackgroundEmbedding, yielding: LoadGovernor | null): Promise<Ending> {
  const { runtime, store, signal, machine, pollMs } = work;
  if (mustLeave(work)) return "left";
  const other = new AbortController();
  const look = () => {
    const reason = interruption(work) ?? (yielding?.mustPause() ? "busy" : null);
    if (reason !== null) other.abort(reason);
  };
  yielding?.begin();
  const watch = setInterval(look, pollMs);
  try {
    const report = await ingestInto(store, runtime, {
      paths: [],
      waits: true,
      signal: AbortSignal.any([signal, other.signal]),
      hooks: { isSparing: async () => yielding !== null && machine.isOnBattery() },
    });
    const { embedded, pending } = report.chunks;
    const ending: Ending = signal.aborted ? "left" : (other.signal.reason ?? "done");
    (await runtime.log()).info("embed", { embedded, pending, ending });
    return ending;
  } finally {
    clearInterval(watch);
  }
}

/** Waits until the machine is calm, or for as long as a pause may take. A lock shows others that the worker waits. */
async function pause(work: BackgroundEmbedding, yielding: LoadGovernor | null): Promise<Ending> {
  using _shown = tryLock(besideDatabase(work.runtime.memory, PAUSED_LOCK));
  yielding?.begin();
  while (yielding?.mayGoOn() === false && !work.signal.aborted) {
    const reason = interruption(work);
    if (reason !== null) return reason;
    await Bun.sleep(work.pollMs);
  }
  return "done";
}

function interruption(work: BackgroundEmbedding): "queued" | "left" | null {
  if (hasQueued(work.directory)) return "queued";
  return mustLeave(work) ? "left" : null;
}

/** Tells whether another process embeds at once what waits, or the memory was deleted meanwhile. */
function mustLeave({ runtime: { memory } }: BackgroundEmbedding): boolean {
  return isLocked(besideDatabase(memory, EMBED_NOW_LOCK)) || statIfExists(memory.databaseFile) === null;
}

/** When embedding in the background makes way for other programs. */
export const YIELD_LIMITS = {
  /** The machine is busy where other programs use more than this share of all cores. */
  busyShare: 0.75,
  /** How long the load is measured before it counts, ms: short peaks do not matter. */
  windowMs: 5_000,
  /** Processor time between two pauses, ms: a few hundred chunks. A turn's own chunks never wait for a calm machine. */
  minWorkMs: 6_000,
  /** The longest pause. On a machine that is always busy, work goes on after it, so that it ends some day. */
  maxPauseMs: 60_000,
} as const;

/** Decides when to pause and when to go on, from what other programs use of the machine. Called at short intervals. */
export class LoadGovernor {
  readonly #machine: Machine;
  #sample: { at: number; cpu: CpuTimes; own: number };
  /** Share of all cores that others used in the last window; null before the first. */
  #others: number | null = null;
  #since: { at: number; own: number };

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#sample = this.#measure();
    this.#since = this.#sample;
  }

  /** Begins a time of work or a pause. */
  begin(): void {
    this.#sample = this.#measure();
    this.#since = this.#sample;
    this.#others = null;
  }

  /** While working: whether it is time for a pause. */
  mustPause(): boolean {
    const worked = this.#machine.ownCpuMs() - this.#since.own;
    return this.#isBusy() === true && worked >= YIELD_LIMITS.minWorkMs;
  }

  /** In a pause: whether work may go on. */
  mayGoOn(): boolean {
    const paused = this.#machine.elapsedMs() - this.#since.at;
    return this.#isBusy() === false || paused >= YIELD_LIMITS.maxPauseMs;
  }

  /** Null until a whole window was measured. */
  #isBusy(): boolean | null {
    const now = this.#measure();
    if (now.at - this.#sample.at >= YIELD_LIMITS.windowMs) {
      const { cpu, own } = this.#sample;
      const total = now.cpu.total - cpu.total;
      const others = now.cpu.busy - cpu.busy - (now.own - own);
      this.#others = total > 0 ? others / total : 0;
      this.#sample = now;
    }
    return this.#others === null ? null : this.#others > YIELD_LIMITS.busyShare;
  }

  #measure() {
    const { elapsedMs, cpuTimes, ownCpuMs } = this.#machine;
    return { at: elapsedMs(), cpu: cpuTimes(), own: ownCpuMs() };
  }
}
