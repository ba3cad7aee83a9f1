import type * as v from "valibot";
import type { Runtime } from "../../runtime.ts";
import {
  authorOrOwn,
  FIELDS,
  type Filter,
  type FilterName,
  filtersBut,
  type TypedFilter,
} from "../../store/filter.ts";
import type { BrowseStore } from "../../store/store.ts";
import type { Option } from "./option.ts";

type FilterOptions<Name extends FilterName> = {
  [N in Name]: Option<v.GenericSchema<unknown, TypedFilter[N]>>;
};

/** Returns the options of all filters except the named ones. */
export function filterOptions<Left extends FilterName = never>(...left: readonly Left[]) {
  const options = filtersBut(...left).map((name) => {
    const { value, description, schema } = FIELDS[name];
    return [name, { value: value ?? undefined, description, schema, isFilter: true }];
  });
  return Object.fromEntries(options) as FilterOptions<Exclude<FilterName, Left>>;
}

/** Reads the filters among a command's options. Rejects with `not_found` for what the memory does not know. */
export async function filterOf(
  options: TypedFilter,
  { host }: Runtime,
  browse: BrowseStore,
): Promise<Filter> {
  const { readFilterFor } = await import("../../recall/read-filter.ts");
  const { requireKnown } = await import("../../recall/unknown.ts");
  const filter = await readFilterFor(options, { browse, cwd: host.cwd, now: host.now() });
  await requireKnown(filter, options, browse);
  return filter;
}

/** Like `filterOf`, for what counts one's own work: turns of others only where their author, or `all`, was given. */
export async function ownFilterOf(
  options: TypedFilter,
  runtime: Runtime,
  browse: BrowseStore,
): Promise<Filter> {
  return { ...(await filterOf(options, runtime, browse)), ...authorOrOwn(options.author) };
}

/** Whether a filter has only a time range. Recalls belong to no branch, file or subagent. */
export function isOfTimeOnly({ since: _since, until: _until, others: _others, ...rest }: Filter): boolean {
  return Object.keys(rest).length === 0;
}
