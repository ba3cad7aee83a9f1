import type { Filter, TypedFilter } from "../filter/filter.ts";
import type { ProjectMemory } from "../project/memories.ts";
import type { Runtime } from "../runtime.ts";
import { readFilterFor } from "../search/read-filter.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";

/** Reads the filters as they are meant in one of several memories. */
export type FilterIn = (store: SqliteStore, project: ProjectMemory) => Promise<Filter>;

/**
 * Reads filters for several memories: each finds its own session by the start of an id, and its own files below its own
 * root. Relative paths start at `cwd`. Rejects with `usage` for a value that no memory could use.
 */
export async function filtersIn(typed: TypedFilter, { host }: Runtime, cwd: string): Promise<FilterIn> {
  const context = { cwd, now: host.now() };
  await readFilterFor(typed, { ...context, browse: { session: async () => null } });
  return ({ browse }, { root }) => readFilterFor(typed, { ...context, browse, root });
}
