import { cutWords, lexemeOf } from "./cut-words.ts";

/** A term of a query. */
export interface QueryTerm {
  /** A `tsquery` as text, which matches the term's words as a phrase. */
  query: string;
  /** The same for the words in any order: the index alone finds them, but for a phrase each text must be read. */
  unordered: string;
  /** The word whose occurrences count; null for a phrase. */
  word: string | null;
}

/** Returns what to look for for each term; null for a term without a word. */
export function queryTerms(project: number, terms: readonly string[]): (QueryTerm | null)[] {
  return cutWords(terms).map((words) => {
    if (words.length === 0) return null;
    const lexemes = words.map((word) => lexemeOf(project, word));
    return {
      query: lexemes.join(" <-> "),
      unordered: lexemes.join(" & "),
      word: words.length === 1 ? (words[0] ?? null) : null,
    };
  });
}
