import { MementorError } from "../../errors.ts";
import type { Host } from "../../host.ts";

/** Exit code of a command that Ctrl-C stopped, as shells report it. */
export const INTERRUPTED = 130;

/**
 * Resolves as `work` does, which waits for what others send. Rejects with `interrupted` at Ctrl-C or SIGTERM: nothing would
 * end the wait otherwise.
 */
export async function unlessInterrupted<T>(
  { interrupted }: Pick<Host, "interrupted">,
  work: Promise<T>,
): Promise<T> {
  const signal = interrupted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new MementorError("interrupted", "It was stopped."));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", stop));
}
