import type { CpuTimes, Machine } from "../../io/machine.ts";

/** When embedding in the background makes way for other programs. */
export const YIELD = {
  /** The share of all cores that other programs use on a busy machine. */
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
