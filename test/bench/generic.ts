import { queryParts } from "../../src/search/query.ts";
import type { SearchStore } from "../../src/store/store.ts";
import type { LabelledQuery } from "./prompts.ts";

/** A word tells sessions apart when at most this share of the turns hold it, or so many of them. */
const TELLING_SHARE = 0.05;
const TELLING_TURNS = 3;
/** A query with fewer telling words could be about many sessions. */
const TELLING_WORDS = 2;
/** A query that more sessions answer is about none of them. */
const MOST_SESSIONS = 3;

/** Returns the queries that no ranking can answer with the one right session: any of many would do. */
export async function genericQueries(
  store: Pick<SearchStore, "termTurns" | "totals">,
  queries: readonly LabelledQuery[],
): Promise<LabelledQuery[]> {
  const { turns } = await store.totals();
  const most = Math.max(TELLING_TURNS, TELLING_SHARE * turns);
  const generic: LabelledQuery[] = [];
  for (const query of queries) {
    const { terms } = await queryParts(query.query, store, turns);
    const telling = terms.filter(({ turnIds }) => turnIds && turnIds.length > 0 && turnIds.length <= most);
    if (telling.length < TELLING_WORDS || query.sessions.length > MOST_SESSIONS) generic.push(query);
  }
  return generic;
}
