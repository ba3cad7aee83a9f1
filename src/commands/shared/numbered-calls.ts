import type { Runtime } from "../../runtime.ts";
import type { NumberedCall } from "../../store/contract/types/journal.ts";
import { storeWaiting } from "./waiting-calls.ts";

/**
 * Returns what gives the number of the call that a hook answered at a time (ISO 8601), as "mementor told" knows it, and its
 * file; null where there is none. It reads the memory again only for what is later than its last reading.
 */
export function numberedCalls(runtime: Runtime): (at: string | null) => Promise<NumberedCall | null> {
  const calls = new Map<string, NumberedCall>();
  let readUntil = "";
  return async (at) => {
    if (at === null) return null;
    if (!calls.has(at) && at > readUntil) {
      readUntil = runtime.host.now().toISOString();
      for (const [time, call] of await callsSince(at, runtime)) calls.set(time, call);
    }
    return calls.get(at) ?? null;
  };
}

/** The log is also there where the memory cannot be read. */
async function callsSince(at: string, runtime: Runtime): Promise<ReadonlyMap<string, NumberedCall>> {
  try {
    await storeWaiting(runtime);
    const store = await runtime.openStore("readonly");
    return await store.journal.numberedCalls(at).finally(() => store.close());
  } catch {
    return new Map();
  }
}
