import { expect, test } from "bun:test";
import fc from "fast-check";
import { LoadGovernor, YIELD_LIMITS } from "../../../src/cli/worker/worker.ts";
import type { Machine } from "../../../src/io/machine.ts";

const POLL_MS = 500;
const CORES = 4;

/** A machine of four cores with a clock that the test moves. */
class TestMachine implements Machine {
  #now = 0;
  #busy = 0;
  #own = 0;

  /** Time passes. Both loads are shares of all cores. */
  pass(ms: number, load: { others: number; own: number }): void {
    this.#now += ms;
    this.#own += load.own * ms * CORES;
    this.#busy += (load.others + load.own) * ms * CORES;
  }

  elapsedMs = () => this.#now;
  cpuTimes = () => ({ busy: this.#busy, total: this.#now * CORES });
  ownCpuMs = () => this.#own;
  isOnBattery = async () => false;
  lowerPriority() {}
}

/** How long a pause takes, or null while there is none, with the load that a function gives for each time. */
function waits(
  until: (yielding: LoadGovernor) => boolean,
  load: { others: number; own: number },
  maxMs: number,
) {
  const machine = new TestMachine();
  const yielding = new LoadGovernor(machine);
  for (let at = POLL_MS; at <= maxMs; at += POLL_MS) {
    machine.pass(POLL_MS, load);
    if (until(yielding)) return at;
  }
  return null;
}

const paused = (load: { others: number; own: number }) => waits((y) => y.mustPause(), load, 600_000);
const resumed = (load: { others: number; own: number }) => waits((y) => y.mayGoOn(), load, 600_000);

test("its own work is no load: it works on a machine that is otherwise calm", () => {
  expect(paused({ others: 0, own: 1 })).toBeNull();
  expect(paused({ others: 0.5, own: 0.5 })).toBeNull();
});

test("it pauses when others need the machine", () => {
  expect(paused({ others: 0.8, own: 0.2 })).toBe(7_500);
});

test("a little work never waits: there is no pause before six seconds of processor time", () => {
  // A fiftieth of four cores.
  expect(paused({ others: 0.98, own: 0.02 })).toBe(75_000);
});

test("it goes on when the machine is calm, and at the latest after the longest pause", () => {
  expect(resumed({ others: 0.2, own: 0 })).toBe(YIELD_LIMITS.windowMs);
  expect(resumed({ others: 1, own: 0 })).toBe(YIELD_LIMITS.maxPauseMs);
});

test("a peak that is shorter than the window does not count", () => {
  const machine = new TestMachine();
  const yielding = new LoadGovernor(machine);
  machine.pass(YIELD_LIMITS.windowMs - POLL_MS, { others: 0.1, own: 0.9 });
  expect(yielding.mustPause()).toBe(false);
  machine.pass(POLL_MS, { others: 1, own: 0 });
  expect(yielding.mustPause()).toBe(false);
});

/** Plays 1,000 s and returns the pauses, in ms, and the processor time before each. */
function played(loads: readonly number[]): { pauses: number[]; works: number[] } {
  const machine = new TestMachine();
  const yielding = new LoadGovernor(machine);
  const seen = { pauses: [] as number[], works: [] as number[] };
  let [since, own, isPaused] = [0, 0, false];
  for (let poll = 0; poll < 2_000; poll++) {
    const others = loads[poll % loads.length] ?? 0;
    machine.pass(POLL_MS, isPaused ? { others, own: 0 } : { others: others * 0.9, own: 0.1 });
    if (!(isPaused ? yielding.mayGoOn() : yielding.mustPause())) continue;
    if (isPaused) seen.pauses.push(machine.elapsedMs() - since);
    else seen.works.push(machine.ownCpuMs() - own);
    isPaused = !isPaused;
    [since, own] = [machine.elapsedMs(), machine.ownCpuMs()];
    yielding.begin();
  }
  return seen;
}

test("whatever the load is, work goes on: a pause ends, and there is work between two pauses", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(share, { minLength: 1, maxLength: 40 }), (loads) => {
      const { pauses, works } = played(loads);
      expect(pauses.filter((ms) => ms > YIELD_LIMITS.maxPauseMs)).toEqual([]);
      expect(works.filter((ms) => ms < YIELD_LIMITS.minWorkMs - 1e-6)).toEqual([]);
      expect(works.length - pauses.length).toBeLessThanOrEqual(1);
    }),
  );
  expect(played([1]).works.length).toBeGreaterThan(10);
});
