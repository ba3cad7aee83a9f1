import { setTimeout as sleep } from "node:timers/promises";
import { tryLock } from "../io/lock.ts";

/** Suffix of lock files. They are empty and never removed. */
export const LOCK = ".lock";

const POLL_MS = 20;

/**
 * Runs `work` unless `done()` is true. Of several processes, one works and the others wait for it.
 *
 * The lock only avoids duplicate work. `work` must be safe to run in two processes at once, because there is no lock
 * where a lock file cannot be created.
 */
export async function onceAmongProcesses(
  file: string,
  done: () => Promise<boolean>,
  work: () => Promise<void>,
): Promise<void> {
  while (!(await done())) {
    using lock = tryLock(file);
    if (lock === null) {
      await sleep(POLL_MS);
      continue;
    }
    if (!(await done())) await work();
    return;
  }
}
