import type { Config } from "../config/config.ts";
import type { Filter } from "../filter/filter.ts";

/**
 * Narrows what hooks tell to one's own turns and those of the members of the team whom the user trusts: all members of
 * today, or the named ones.
 */
export async function trusted(
  { team }: Pick<Config, "team">,
  store: { formerMembers(): Promise<readonly string[]> },
): Promise<Pick<Filter, "others" | "withoutAuthors">> {
  if (!team.recall) return { others: [] };
  if (team.trust !== "all") return { others: team.trust };
  const former = await store.formerMembers();
  return former.length === 0 ? {} : { withoutAuthors: former };
}
