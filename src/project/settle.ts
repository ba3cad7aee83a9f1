import type { UserDirs } from "./memory.ts";
import { moveMemory } from "./move.ts";

/** How often a process that works in a memory which is to be moved is waited for, ms. */
const POLL_MS = 100;

/**
 * Moves a memory to where it belongs. With `patience`, ms, it copies where it must, and waits for processes that work in
 * it, until `interrupted` says that it should not. Returns false when it is still where it was.
 */
export async function settle(
  dirs: UserDirs,
  root: string,
  patience: number,
  interrupted?: () => AbortSignal,
): Promise<boolean> {
  const until = performance.now() + patience;
  for (;;) {
    const moving = moveMemory(dirs, root, { copies: patience > 0 });
    if (moving === "moved") return true;
    // Asked only where it waits: from then on a first Ctrl-C stops nothing by itself.
    if (moving === "elsewhere" || performance.now() >= until || interrupted?.().aborted) return false;
    await Bun.sleep(POLL_MS);
  }
}
