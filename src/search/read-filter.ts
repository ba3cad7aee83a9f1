import { type Filter, readFilter, type TypedFilter } from "../filter/filter.ts";
import { rootsOf } from "../git/project.ts";
import type { BrowseStore } from "../store/store.ts";

/**
 * Reads the filters of a command or tool. Resolves paths from `cwd`, times from `now`, and the start of a session's
 * id. Rejects with `usage` for an invalid value, or when several sessions share the start.
 */
export async function readFilterFor(
  typed: TypedFilter,
  { browse, cwd, now }: { browse: Pick<BrowseStore, "session">; cwd: string; now: Date },
): Promise<Filter> {
  const filter = readFilter(typed, { now, cwd, roots: () => rootsOf(cwd) });
  if (filter.session === undefined) return filter;
  const found = await browse.session(filter.session);
  return found === null ? filter : { ...filter, session: found.sessionId };
}
