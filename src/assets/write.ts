import { open, rename, rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ASSETS } from "../constants.ts";
import { MementorError } from "../errors.ts";

/** Suffix of files that are being written; leftovers of a crash are removed by the sweep. */
export const TEMPORARY = ".tmp";
export const LOCK = ".lock";

/** A name beside `path` that no other process uses. */
export function temporaryName(path: string): string {
  return `${path}.${process.pid}.${crypto.randomUUID().slice(0, 8)}${TEMPORARY}`;
}

/** Writes a file so that other processes see all of it or nothing. */
export async function writeAtomically(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const temporary = temporaryName(path);
  try {
    const handle = await open(temporary, "wx", mode);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw toWriteError(error, path);
  }
}

function toWriteError(error: unknown, path: string): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  const isFull = error.code === "ENOSPC" || error.code === "EDQUOT";
  return new MementorError(isFull ? "disk_full" : "not_writable", `cannot write ${path} (${error.code})`, {
    cause: error,
  });
}

/**
 * Runs `work` unless `done()` holds; of several processes one works while the others wait for it.
 *
 * The lock only saves work: `work` must be safe to run twice at once, which happens when a writer dies or is
 * slow.
 */
export async function onceAmongProcesses(
  lock: string,
  done: () => Promise<boolean>,
  work: () => Promise<void>,
): Promise<void> {
  while (!(await done())) {
    const handle = await open(lock, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return null;
      throw toWriteError(error, lock);
    });
    if (handle === null && !(await isStale(lock))) {
      await sleep(ASSETS.lockPollMs);
      continue;
    }
    try {
      if (!(await done())) await work();
      return;
    } finally {
      await handle?.close();
      await rm(lock, { force: true });
    }
  }
}

async function isStale(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > ASSETS.lockStaleMs;
}
