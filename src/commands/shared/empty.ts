import type { EmptyMemory } from "../../render/screen.ts";
import type { Runtime } from "../../runtime.ts";
import type { ReadStore } from "../../store/store.ts";

/**
 * Returns the memory of this project where it holds nothing yet; null otherwise. A database that is named, or a team's, is not
 * for us to fill.
 */
export async function emptyMemory(
  runtime: Runtime,
  search: ReadStore["search"],
): Promise<EmptyMemory | null> {
  if (runtime.databaseUrl !== null || runtime.memory.directory === null) return null;
  const { turns, notes } = await search.totals();
  if (turns + notes > 0) return null;
  const { folderOf } = await import("./folder.ts");
  return { folder: (await folderOf(runtime))?.directory ?? null };
}
