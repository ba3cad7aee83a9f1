import type { Config } from "../config/config.ts";
import type { Filter } from "../filter/filter.ts";

/** Narrows what hooks tell to one's own turns and those of the members of the team whom the user trusts. */
export function trusted({ team }: Pick<Config, "team">): Pick<Filter, "others"> {
  if (!team.recall) return { others: [] };
  return team.trust === "all" ? {} : { others: team.trust };
}
