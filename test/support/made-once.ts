import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tryLock } from "../../src/io/lock.ts";
import { until } from "./wait.ts";

/**
 * Returns a file or directory that costs much work and depends on a binary alone: one on a machine, which `make` writes to
 * the path that it gets. Other processes wait for it. What an older binary made is removed.
 *
 * @param inputs names what else it depends on.
 */
export async function madeOnce(
  name: string,
  { binary, inputs = "" }: { binary: string; inputs?: string },
  make: (path: string) => Promise<void>,
): Promise<string> {
  const { mtimeMs, size } = statSync(binary);
  const prefix = `mementor-test-${name}-${process.getuid?.() ?? "own"}-${Bun.hash(binary).toString(16)}-`;
  const made = join(tmpdir(), prefix + Bun.hash(`${mtimeMs} ${size} ${inputs}`).toString(16));
  if (existsSync(made)) return made;
  const lock = await until(`another process has made ${made}`, () => tryLock(`${made}.lock`));
  try {
    if (existsSync(made)) return made;
    removeOthers(prefix, made);
    const unfinished = `${made}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    await make(unfinished);
    renameSync(unfinished, made);
    return made;
  } finally {
    lock.release();
  }
}

function removeOthers(prefix: string, made: string): void {
  for (const name of new Bun.Glob(`${prefix}*`).scanSync({ cwd: tmpdir(), onlyFiles: false })) {
    const path = join(tmpdir(), name);
    if (!path.startsWith(made)) rmSync(path, { recursive: true, force: true });
  }
}
