import type { Runtime } from "../../runtime.ts";
import type { ReadStore } from "../../store/contract/store.ts";

/** Whether the memory of this project holds nothing yet. A database that is named, or a team's, is not for us to fill. */
export async function isEmptyMemory(runtime: Runtime, search: ReadStore["search"]): Promise<boolean> {
  if (runtime.databaseUrl !== null || runtime.memory.directory === null) return false;
  const { turns, notes } = await search.totals();
  return turns + notes === 0;
}
