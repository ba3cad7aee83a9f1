import { MAX_QUERY_PHRASES } from "../constants.ts";
import { isStopWord } from "../text/stop-words.ts";

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const PAUSE = /[.!?;:。！？][\s)"'`]|\n/;

/** Returns neighbouring words of a query as phrases, lower case, where both mean something and no pause is between. */
export function phrases(query: string): string[] {
  const found = new Set<string>();
  let before: { word: string; end: number } | null = null;
  for (const match of query.matchAll(WORD)) {
    const word = match[0].toLowerCase();
    const isNext = before !== null && !PAUSE.test(query.slice(before.end, match.index + 1));
    if (before !== null && isNext && !isStopWord(before.word) && !isStopWord(word))
      found.add(`${before.word} ${word}`);
    if (found.size >= MAX_QUERY_PHRASES) break;
    before = { word, end: match.index + match[0].length };
  }
  return [...found];
}
