import { MementorError, toMementorError } from "../../errors.ts";
import type { ProjectMemory } from "../../project/memories.ts";
import type { Runtime } from "../../runtime.ts";
import type { Filter, TypedFilter } from "../../store/filter.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import { readFilterFor } from "../read-filter.ts";
import { requireKnown } from "../unknown.ts";

/** Filters for several memories. */
export interface FiltersIn {
  /** Returns the filters for one of the memories. */
  of(store: SqliteStore, project: ProjectMemory): Promise<Filter>;
  /**
   * Throws `not_found` if none of the memories knows a named value, such as a branch. To be called after reading the memories.
   */
  settle(): void;
}

/**
 * Reads filters for several memories. Each memory resolves the start of a session id and paths below its own root. Relative paths
 * start at `cwd`. Rejects with `usage` for a value that no memory could use.
 */
export async function readFilters(typed: TypedFilter, { host }: Runtime, cwd: string): Promise<FiltersIn> {
  const context = { cwd, now: host.now() };
  await readFilterFor(typed, { ...context, browse: { session: async () => null } });
  const unknown: MementorError[] = [];
  let asked = 0;
  return {
    async of({ browse }, { root }) {
      const filter = await readFilterFor(typed, { ...context, browse, root });
      asked += 1;
      await requireKnown(filter, typed, browse).catch((error) => unknown.push(toMementorError(error)));
      return filter;
    },
    settle() {
      const [first] = unknown;
      if (first !== undefined && unknown.length === asked) throw unknownToAll(first, asked);
    },
  };
}

function unknownToAll({ code, message, hint = "" }: MementorError, memories: number): MementorError {
  const everywhere = memories === 1 ? "" : `It is in none of your ${memories} memories. `;
  return new MementorError(code, message, { hint: `${everywhere}${hint}`.trim() });
}
