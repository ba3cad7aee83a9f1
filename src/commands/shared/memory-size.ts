import { statIfExists } from "../../io/read.ts";
import type { MemorySize } from "../../render/disable.ts";
import type { Runtime } from "../../runtime.ts";

/** Returns where the project's memory is and what it holds, as far as it can be read. */
export async function memorySize(runtime: Runtime): Promise<MemorySize> {
  const { directory, databaseFile } = runtime.memory;
  const bytes = statIfExists(databaseFile)?.size ?? 0;
  const place = { directory: directory ?? databaseFile, bytes };
  try {
    const store = await runtime.openStore("readonly");
    const { turns, sessions, notes } = await store.search.totals().finally(() => store.close());
    return { ...place, holds: { turns, sessions, notes } };
  } catch {
    // A memory that cannot be read can still be deleted.
    return { ...place, holds: null };
  }
}
