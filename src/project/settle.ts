import type { UserDirs } from "./memory.ts";
import { moveMemory } from "./move.ts";

/** How often a process that works in a memory which is to be moved is waited for, ms. */
const POLL_MS = 100;

/**
 * Moves a memory to where it belongs. With `patience`, ms, it copies where it must, and waits for processes that work in
 * it. Returns false when it is still where it was.
 */
export async function settle(
  dirs: UserDirs,
  root: string,
  patience: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const until = performance.now() + patience;
  for (;;) {
    const moving = moveMemory(dirs, root, { copies: patience > 0 });
    if (moving === "moved") return true;
    if (moving === "elsewhere" || performance.now() >= until || signal?.aborted) return false;
    await Bun.sleep(POLL_MS);
  }
}
