import { queryParts } from "../../src/recall/query.ts";
import type { SearchStore } from "../../src/store/store.ts";
import type { LabelledQuery } from "./prompts.ts";

/** A word tells sessions apart when at most this share of the turns hold it, or so many of them. */
const TELLING_SHARE = 0.1;
const TELLING_TURNS = 3;
/** A query that more sessions answer is about none of them. */
const MOST_SESSIONS = 3;

/** Returns the queries that could be about many sessions: none of their words tells sessions apart. */
export async function genericQueries(
  store: Pick<SearchStore, "termTurns" | "totals">,
  queries: readonly LabelledQuery[],
): Promise<LabelledQuery[]> {
  const { turns } = await store.totals();
  const most = Math.max(TELLING_TURNS, TELLING_SHARE * turns);
  const generic: LabelledQuery[] = [];
  for (const query of queries) {
    const { terms } = await queryParts(query.query, store, turns);
    const tells = terms.some(({ turnIds }) => turnIds && turnIds.length > 0 && turnIds.length <= most);
    if (!tells || query.sessions.length > MOST_SESSIONS) generic.push(query);
  }
  return generic;
}
