/** A safety net only: what is waited for comes within milliseconds on a quiet machine, and within minutes on a busy one. */
const DEADLINE_MS = 540_000;

/**
 * Waits until a condition holds, and resolves to what it returned. Rejects when it does not come about in nine minutes.
 *
 * @param what the condition in words, for the error.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = Date.now() + DEADLINE_MS;
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, 50)) {
    const value = await condition();
    if (value) return value as Exclude<T, false | null | undefined>;
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await Bun.sleep(pauseMs);
  }
}

/** Kills a process at some point of its work: for what must hold at all of them, whatever point it is. */
export async function killAfter(ms: number, child: Bun.Subprocess): Promise<void> {
  await Bun.sleep(ms);
  child.kill("SIGKILL");
  await child.exited;
}

/** Lets other processes come some way, whatever that is on this machine. */
export function someWay(ms: number): Promise<void> {
  return Bun.sleep(ms);
}

/** Lets everything that is due run: promises, input that has arrived. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 20; round++) await new Promise((done) => setImmediate(done));
}

/** Resolves to what the work gives, or to null when that takes longer than so many ms. */
export function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  return Promise.race([work, Bun.sleep(ms).then(() => null)]);
}

/** While in scope every timer runs at once, and what each would have waited is noted, ms. */
export function hurriedTimers(): Disposable & { waits: number[] } {
  const { setTimeout } = globalThis;
  const waits: number[] = [];
  const hurried = (run: () => void, ms = 0) => {
    waits.push(ms);
    return setTimeout(run, 0);
  };
  globalThis.setTimeout = Object.assign(hurried, setTimeout);
  const restore = () => {
    globalThis.setTimeout = setTimeout;
  };
  return { waits, [Symbol.dispose]: restore };
}
