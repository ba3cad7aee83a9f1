import { notedHookCalls, takeHookCalls } from "../../project/hook-calls.ts";
import { isTrusted } from "../../project/trust.ts";
import type { Runtime } from "../../runtime.ts";

/**
 * Stores the answers that hooks have recorded, so that a list has them: the background worker stores them only when it has
 * embedded, which may take an hour. Does nothing where the memory cannot be written.
 */
export async function storeWaiting(runtime: Runtime): Promise<void> {
  const { directory } = runtime.memory;
  if (directory === null || !isTrusted(runtime.paths, runtime.project.root)) return;
  if (notedHookCalls(directory).length === 0) return;
  try {
    await using store = await runtime.openStore("readwrite");
    await takeHookCalls(directory, (call) => store.journal.recordHookCall(call));
  } catch {
    // The next worker will store them. Until then, the list shows what is stored.
  }
}
