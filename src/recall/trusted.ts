import type { Config } from "../config/settings.ts";
import type { MayTell } from "../store/filter.ts";

/**
 * Narrows what hooks tell to one's own turns and those of the members of the team whom the user trusts: all members of
 * today, or the named ones. Leaves out the notes of agents where the configuration says so.
 */
export async function trustedFilter(
  { recall, team }: { recall: Pick<Config["recall"], "agentNotes">; team: Config["team"] },
  store: { formerMembers(): Promise<readonly string[]> },
): Promise<MayTell> {
  const notes = recall.agentNotes ? {} : { withoutAgentNotes: true };
  if (!team.recall) return { ...notes, others: [] };
  if (team.trust !== "all") return { ...notes, others: team.trust };
  const former = await store.formerMembers();
  return former.length === 0 ? notes : { ...notes, withoutAuthors: former };
}
