import { projectRoots } from "../io/git/project.ts";
import { type Filter, readFilter, type TypedFilter } from "../store/filter.ts";
import type { BrowseStore } from "../store/store.ts";

export interface FilterSource {
  browse: Pick<BrowseStore, "session">;
  /** Directory where relative paths start. */
  cwd: string;
  now: Date;
  /** Project of the memory; that of `cwd` when absent. */
  root?: string;
  /** True for arguments of a tool instead of options. Errors name them accordingly. */
  isTool?: boolean;
}

/**
 * Reads the filters of a command or tool. Resolves paths from `cwd`, times from `now`, and the start of a session's
 * id. Rejects with `usage` for an invalid value, or when several sessions share the start.
 */
export async function readFilterFor(
  typed: TypedFilter,
  { browse, cwd, now, root, isTool = false }: FilterSource,
): Promise<Filter> {
  const roots = () => (root === undefined ? projectRoots(cwd) : [root]);
  const filter = readFilter(typed, { now, cwd, roots, isTool });
  if (filter.session === undefined) return filter;
  const found = await browse.session(filter.session);
  return found === null ? filter : { ...filter, session: found.sessionId };
}
