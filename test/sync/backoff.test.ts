import { expect, test } from "bun:test";
import { MementorError } from "../../src/errors.ts";
import { dueAfter, isDue, nextSyncState, type SyncState } from "../../src/sync/backoff.ts";

const TRIED = "2026-03-01T12:00:00.000Z";

function state(failures: number): SyncState {
  const problem =
    failures === 0 ? null : { code: "timeout", message: "the server does not answer", hint: null };
  return { succeededAt: null, triedAt: TRIED, failures, problem, pushed: 0, pulled: 0, removed: 0 };
}

const after = (seconds: number) => new Date(Date.parse(TRIED) + seconds * 1000);

/** Failures, whether something waits, and after how many seconds a worker and a hook try again; null for no hook. */
const PAUSES: [failures: number, waits: boolean, worker: number, hook: number | null][] = [
  [0, true, 0, 60],
  [0, false, 60, null],
  [1, true, 30, 30],
  [1, false, 30, 30],
  [2, true, 60, 60],
  [7, true, 1920, 1920],
  [8, true, 3600, 3600],
  [100, true, 3600, 3600],
];

test.each(PAUSES)("after %p failures, something waits: %p", (failures, waits, worker, hook) => {
  expect(isDue(state(failures), waits, after(worker))).toBe(true);
  if (worker > 0) expect(isDue(state(failures), waits, after(worker - 1))).toBe(false);
  expect(dueAfter(state(failures), waits)).toEqual(hook === null ? null : after(hook));
});

test("the first sync is due at once, and so is one after a clock that was set back", () => {
  expect(isDue(null, false, after(0))).toBe(true);
  expect(isDue(state(100), false, after(-1))).toBe(true);
});

test("a sync that fails keeps when the last one went through, and counts; one that goes through starts anew", () => {
  const done = { pushed: 3, added: 2, updated: 1, removed: 4 };
  const error = new MementorError("timeout", "the server does not answer", { hint: "Check the network." });
  const first = nextSyncState(null, TRIED, done);
  expect(first).toEqual({
    ...{ succeededAt: TRIED, triedAt: TRIED, failures: 0, problem: null },
    ...{ pushed: 3, pulled: 3, removed: 4 },
  });
  const [later, latest] = ["2026-03-01T13:00:00.000Z", "2026-03-01T14:00:00.000Z"];
  const failed = nextSyncState(nextSyncState(first, later, error), latest, error);
  expect(failed).toEqual({
    ...{ succeededAt: TRIED, triedAt: latest, failures: 2, pushed: 0, pulled: 0, removed: 0 },
    problem: { code: "timeout", message: "the server does not answer", hint: "Check the network." },
  });
  expect(nextSyncState(failed, latest, done)).toEqual({ ...first, succeededAt: latest, triedAt: latest });
});
