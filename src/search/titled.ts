import type { Filter } from "../filter/filter.ts";
import type { SearchStore } from "../store/contract/store.ts";
import { folded } from "../text/fold.ts";
import { wordForm } from "./background/word-form.ts";
import { CANDIDATES, type Candidate, candidate } from "./candidates.ts";
import type { QueryParts } from "./query.ts";

/**
 * Adds the turns of sessions whose title has all words of the query, or all of its words that no turn has.
 * Only who asks wants these: a title says what a session was about, and not what a turn answers.
 */
export async function addTitled(
  found: Map<number, Candidate>,
  { terms }: QueryParts,
  store: Pick<SearchStore, "turnsByTitle">,
  filter: Filter,
): Promise<void> {
  const unknown = terms.filter(({ turnIds }) => turnIds?.length === 0);
  const wanted = (unknown.length > 0 ? unknown : terms).map(({ term }) => term);
  if (wanted.length === 0) return;
  const rows = await store.turnsByTitle(wanted.map(wordForm), CANDIDATES.titledTurns, filter);
  for (const { turnId, title } of rows)
    if (wanted.every((term) => isTitled(title, term))) candidate(found, turnId, "title");
}

/** Whether a word of the title begins with a word's form: `art` is in "Artwork of the page", and not in "Start". */
export function isTitled(title: string, term: string): boolean {
  const form = wordForm(term);
  const words = folded(title).match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  // Where words stand without spaces, a term is a part of one.
  const isPart = /[^\p{Script=Latin}\p{N}_-]/u.test(form);
  return words.some((word) => (isPart ? word.includes(form) : word.startsWith(form)));
}
