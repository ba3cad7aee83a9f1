import { isLocked, tryLock } from "../../io/lock.ts";
import type { CpuTimes, Machine } from "../../io/machine.ts";
import { statIfExists } from "../../io/read.ts";
import { besideDatabase } from "../../project/memory.ts";
import { hasQueued } from "../../project/queue.ts";
import { EMBED_NOW_LOCK, PAUSED_LOCK } from "../../project/worker.ts";
import { ingestInto } from "../ingest.ts";
import type { Work } from "./queued.ts";

/** Why embedding ended: all is done, or something else comes first. */
type Ending = "done" | "queued" | "left" | "busy";

/** Embedding in the background, and what it makes way for. */
interface BackgroundEmbedding extends Work {
  machine: Machine;
  /** How often to look for other work, in ms. */
  pollMs: number;
}

/**
 * Makes missing vectors, with pauses while other programs need the machine. Between two times of work nothing is held:
 * neither the lock nor the model. Returns true when it stopped because something new was queued: texts come before
 * vectors.
 */
export async function embedInBackground(work: BackgroundEmbedding): Promise<boolean> {
  const { runtime, store, signal, machine } = work;
  const { saveEnergy } = (await runtime.config()).config.embedding;
  const yielding = saveEnergy ? new Yielding(machine) : null;
  for (;;) {
    const isWanted = (await store.ingest.hasPendingVectors()) || (await store.models.next()) !== null;
    if (!isWanted || signal.aborted) return false;
    const ending = await embed(work, yielding);
    if (ending !== "busy") return ending === "queued";
    if ((await pause(work, yielding)) === "queued") return true;
  }
}

async function embed(work: BackgroundEmbedding, yielding: Yielding | null): Promise<Ending> {
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
async function pause(work: BackgroundEmbedding, yielding: Yielding | null): Promise<Ending> {
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

/** Whether another process embeds at once what waits, or the memory was deleted meanwhile. */
function mustLeave({ runtime: { memory } }: BackgroundEmbedding): boolean {
  return isLocked(besideDatabase(memory, EMBED_NOW_LOCK)) || statIfExists(memory.databaseFile) === null;
}

/** When embedding in the background makes way for other programs. */
export const YIELD = {
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
export class Yielding {
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
    return this.#isBusy() === true && worked >= YIELD.minWorkMs;
  }

  /** In a pause: whether work may go on. */
  mayGoOn(): boolean {
    const paused = this.#machine.elapsedMs() - this.#since.at;
    return this.#isBusy() === false || paused >= YIELD.maxPauseMs;
  }

  /** Null until a whole window was measured. */
  #isBusy(): boolean | null {
    const now = this.#measure();
    if (now.at - this.#sample.at >= YIELD.windowMs) {
      const { cpu, own } = this.#sample;
      const total = now.cpu.total - cpu.total;
      const others = now.cpu.busy - cpu.busy - (now.own - own);
      this.#others = total > 0 ? others / total : 0;
      this.#sample = now;
    }
    return this.#others === null ? null : this.#others > YIELD.busyShare;
  }

  #measure() {
    const { elapsedMs, cpuTimes, ownCpuMs } = this.#machine;
    return { at: elapsedMs(), cpu: cpuTimes(), own: ownCpuMs() };
  }
}
