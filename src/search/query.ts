import { MAX_QUERY_TERMS } from "../constants.ts";
import type { SearchStore } from "../store/store.ts";
import { keywordTerms } from "../text/keywords.ts";
import { chanceOf, shareOfTexts } from "./background/words.ts";
import { fileHints } from "./file-hints.ts";
import { type Literals, literals } from "./literals.ts";
import { phrases } from "./phrases.ts";
import { type References, references } from "./references.ts";

/** A word is rare if at most this share, or at most this number, of the turns contain it. Only rare words are searched. */
export const RARE_SHARE = 0.2;
export const RARE_TURNS = 200;

/** A word of a query and where it occurs. */
export interface QueryTerm {
  term: string;
  /** Turns that hold it; null when it is too common to tell anything. */
  turnIds: readonly number[] | null;
  /** Inverse document frequency, in nats; 0 for what is in most turns. */
  weight: number;
  /** The same by the memory and by texts for developers together: what even a memory of one turn can go by. */
  rarity: number;
  /** Share of texts for developers that hold it. */
  share: number;
}

/** What a query asks for, as the index can answer it. */
export interface QueryParts {
  text: string;
  terms: QueryTerm[];
  phrases: string[];
  fileHints: string[];
  references: References;
  literals: Literals;
}

/** Takes a query apart and looks up how rare its words are; common ones are named without being counted. */
export async function queryParts(
  text: string,
  store: Pick<SearchStore, "termTurns">,
  turns: number,
): Promise<QueryParts> {
  const words = keywordTerms(text, 2 * MAX_QUERY_TERMS);
  const maxTurns = Math.max(RARE_TURNS, Math.floor(turns * RARE_SHARE));
  const found = await store.termTurns(words, maxTurns);
  const terms = words.map((term) => {
    const turnIds = found.get(term) ?? null;
    const share = shareOfTexts(term);
    const frequency = turnIds?.length ?? Math.max(maxTurns, turns / 2);
    return {
      term,
      turnIds,
      weight: weightOf(frequency, turns),
      rarity: rarityOf(share, frequency, turns),
      share,
    };
  });
  return {
    text,
    terms: rarest(terms),
    phrases: phrases(text),
    fileHints: fileHints(text),
    references: references(text),
    literals: literals(text),
  };
}

/** Texts for developers count as if they were so many more turns of the memory, each so many times as long. */
const GENERAL_TURNS = 40;
const GENERAL_LENGTH = 2;

/**
 * Returns how rare a word is, in nats: `frequency` of the memory's turns hold it, and this share of texts for developers.
 */
export function rarityOf(share: number, frequency: number, turns: number): number {
  return weightOf(frequency + GENERAL_TURNS * chanceOf(share, GENERAL_LENGTH), turns + GENERAL_TURNS);
}

function weightOf(frequency: number, turns: number): number {
  return Math.max(0, Math.log(1 + (turns - frequency + 0.5) / (frequency + 0.5)));
}

/** The rarest words decide, in a long query too; their order stays. */
function rarest(terms: QueryTerm[]): QueryTerm[] {
  if (terms.length <= MAX_QUERY_TERMS) return terms;
  const kept = new Set([...terms].sort((a, b) => b.weight - a.weight).slice(0, MAX_QUERY_TERMS));
  return terms.filter((term) => kept.has(term));
}
