import type { QueryParts } from "./query.ts";

/** Returns the weight, in nats, of those words of a query that a text holds in any of their forms. */
export function coveredWeight({ terms }: Pick<QueryParts, "terms">, text: string): number {
  const lower = text.toLowerCase();
  return terms.reduce((sum, { term, weight }) => sum + (lower.includes(stemOf(term)) ? weight : 0), 0);
}

/** Returns how many of a query's phrases a text holds, whatever stands between their words. */
export function knownPhrases({ phrases }: Pick<QueryParts, "phrases">, text: string): number {
  const lower = text.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]+/gu, " ");
  return phrases.filter((phrase) => lower.includes(stemOf(phrase))).length;
}

/** Enough of a word to find its other forms: "tested" and "tests" for "testing". */
function stemOf(word: string): string {
  return word.length > 5 ? word.replace(/(?:ings?|ed|e?s|ly|ions?)$/, "") : word.replace(/s$/, "");
}

/** Longer than plans that are typed or pasted as a prompt: what follows is a log. */
const PROMPT_CHARS = 16_000;
const NEXT_SECTION = /\n\n\[(?:Assistant|Tools|Errors|User)\] /;

/** Returns what was asked at the start of a turn, the first part of it when it is long. */
export function promptOf(fullText: string): string {
  const head = fullText.slice(0, PROMPT_CHARS);
  const end = head.search(NEXT_SECTION);
  return end < 0 ? head : head.slice(0, end);
}
