import { keywordTerms } from "../text/keywords.ts";
import type { QueryParts } from "./query.ts";

/** Words that are in more than this share of general texts for developers, of which one is 0.0006, are no names. */
const NAME_SHARE = 0.0008;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}_./:-]*[\p{L}\p{N}]/gu;
/** Names at most: a question about something else altogether has many. */
const MOST = 3;

/** Returns the names in a query, as typed, of which no turn of the memory has a part. */
export function unnamedIn(query: string, { terms }: Pick<QueryParts, "terms">): string[] {
  const known = new Map(terms.map((term) => [term.term, term]));
  const isUnnamed = (word: string) => {
    const parts = keywordTerms(word, MOST).flatMap((term) => known.get(term) ?? []);
    return (
      parts.length > 0 && parts.every(({ turnIds, share }) => turnIds?.length === 0 && share <= NAME_SHARE)
    );
  };
  return [...new Set(query.match(WORD) ?? [])].filter(isUnnamed).slice(0, MOST);
}
