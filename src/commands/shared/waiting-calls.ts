import { tryLock } from "../../io/lock.ts";
import { notedHookCalls, takeHookCalls } from "../../project/hook-calls.ts";
import { isTrusted } from "../../project/trust.ts";
import { besideDatabase, type Runtime } from "../../runtime.ts";

/** Stores the answers that hooks have recorded, unless a worker is doing it or the memory cannot be written. */
export async function storeWaiting(runtime: Runtime): Promise<void> {
  const { directory } = runtime.memory;
  if (directory === null || !isTrusted(runtime.paths, runtime.project.root)) return;
  if (notedHookCalls(directory).length === 0) return;
  const lock = tryLock(besideDatabase(runtime.memory, "worker.lock"));
  if (!lock) return;
  try {
    const store = await runtime.openStore("readwrite");
    await takeHookCalls(directory, (call) => store.journal.recordHookCall(call)).finally(() => store.close());
  } catch {
    // The next worker will store them. Until then, the list shows what is stored.
  } finally {
    lock.release();
  }
}
