import { setTimeout as sleep } from "node:timers/promises";
import { ASSETS } from "../constants.ts";
import { tryLock } from "../io/lock.ts";

/** Suffix of lock files. They are empty, and stay. */
export const LOCK = ".lock";

/**
 * Runs `work` unless `done()` holds. Of several processes one works while the others wait for it.
 *
 * The lock only saves work: `work` must be safe to run twice at once, since there is no lock where no lock file can be
 * made.
 */
export async function onceAmongProcesses(
  file: string,
  done: () => Promise<boolean>,
  work: () => Promise<void>,
): Promise<void> {
  while (!(await done())) {
    const lock = tryLock(file);
    if (lock === null) {
      await sleep(ASSETS.lockPollMs);
      continue;
    }
    try {
      if (!(await done())) await work();
      return;
    } finally {
      lock.release();
    }
  }
}
