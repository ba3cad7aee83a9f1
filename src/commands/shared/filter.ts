import type { Filter, TypedFilter } from "../../filter/filter.ts";
import type { Runtime } from "../../runtime.ts";
import { readFilterFor } from "../../search/read-filter.ts";
import type { BrowseStore } from "../../store/store.ts";

/** Reads the filters among a command's options. */
export function filterOf(
  options: TypedFilter,
  { host }: Runtime,
  browse: Pick<BrowseStore, "session">,
): Promise<Filter> {
  return readFilterFor(options, { browse, cwd: host.cwd, now: host.now() });
}

/** Whether nothing but a time is asked for: recalls belong to no branch, file or subagent. */
export function isOfTimeOnly({ since: _since, until: _until, ...others }: Filter): boolean {
  return Object.keys(others).length === 0;
}
