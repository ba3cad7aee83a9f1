import { folded } from "../text/fold.ts";
import { isStopWord } from "../text/stop-words.ts";

/** Maximum number of distinct phrases of a query for the keyword index. */
const MAX_PHRASES = 16;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const PAUSE = /[.!?;:。！？][\s)"'`]|\n/;
/**
 * With fewer phrases of two meaningful words than this, phrases with one meaningful word count too ("not found", "to
 * disk").
 */
const ENOUGH_PHRASES = 4;

/** Returns pairs of adjacent words of a query, in lower case. Pairs across punctuation do not count. */
export function phrases(query: string): string[] {
  const meaningful = new Set<string>();
  const half = new Set<string>();
  let before: { word: string; end: number } | null = null;
  for (const match of query.matchAll(WORD)) {
    const word = match[0].toLowerCase();
    if (before !== null && !PAUSE.test(query.slice(before.end, match.index + 1))) {
      const functionWords = [before.word, word].filter(isStopWord).length;
      if (functionWords < 2) (functionWords === 0 ? meaningful : half).add(folded(`${before.word} ${word}`));
    }
    if (meaningful.size >= MAX_PHRASES) break;
    before = { word, end: match.index + match[0].length };
  }
  return meaningful.size >= ENOUGH_PHRASES ? [...meaningful] : [...meaningful, ...half].slice(0, MAX_PHRASES);
}
