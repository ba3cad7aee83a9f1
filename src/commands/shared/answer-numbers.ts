import type { Runtime } from "../../runtime.ts";
import { storeWaiting } from "./waiting-calls.ts";

/**
 * Returns what gives the number of the answer that a hook gave at a time (ISO 8601), as "mementor told" lists it; null where
 * there is none. It reads the memory again only for what is later than its last reading.
 */
export function answerNumbers(runtime: Runtime): (at: string | null) => Promise<number | null> {
  const numbers = new Map<string, number>();
  let readUntil = "";
  return async (at) => {
    if (at === null) return null;
    if (!numbers.has(at) && at > readUntil) {
      readUntil = runtime.host.now().toISOString();
      for (const [time, id] of await numbersSince(at, runtime)) numbers.set(time, id);
    }
    return numbers.get(at) ?? null;
  };
}

/** The log is also there where the memory cannot be read. */
async function numbersSince(at: string, runtime: Runtime): Promise<ReadonlyMap<string, number>> {
  try {
    await storeWaiting(runtime);
    const store = await runtime.openStore("readonly");
    return await store.journal.answerNumbers(at).finally(() => store.close());
  } catch {
    return new Map();
  }
}
