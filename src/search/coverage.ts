import { openingOf } from "../turn/parts.ts";
import type { TurnText } from "../turn/text.ts";
import type { QueryParts } from "./query.ts";

/** Returns the weight, in nats, of those words of a query that a text holds in any of their forms. */
export function coveredWeight({ terms }: Pick<QueryParts, "terms">, text: string): number {
  const lower = text.toLowerCase();
  return terms.reduce((sum, { term, weight }) => sum + (lower.includes(stemOf(term)) ? weight : 0), 0);
}

/** A sentence or two: words that stand so close say something together. */
const WINDOW_CHARS = 240;

/** Returns the most weight, in nats, that a stretch of a sentence or two of a text holds of a query's words. */
export function densestWeight({ terms }: Pick<QueryParts, "terms">, text: string): number {
  const lower = text.toLowerCase();
  const present = terms
    .map(({ term, weight }) => ({ stem: stemOf(term), weight }))
    .filter(({ stem }) => lower.includes(stem));
  let most = 0;
  for (let start = 0; start < lower.length; start += WINDOW_CHARS / 2) {
    const window = lower.slice(start, start + WINDOW_CHARS);
    const held = present.reduce((sum, { stem, weight }) => sum + (window.includes(stem) ? weight : 0), 0);
    most = Math.max(most, held);
  }
  return most;
}

/** A query of one or two phrases is held soon: shares are taken as if it had so many more. */
const MORE_PHRASES = 2;

/** Returns which share of a query's phrases a text holds, less where there are few. */
export function phraseShare({ phrases }: Pick<QueryParts, "phrases">, text: string): number {
  return knownPhrases(phrases, text) / (phrases.length + MORE_PHRASES);
}

/** How many phrases a text holds, whatever stands between their words. */
function knownPhrases(phrases: readonly string[], text: string): number {
  const lower = text.toLowerCase();
  const possible = phrases
    .map(stemOf)
    .filter((phrase) => phrase.split(" ").every((word) => lower.includes(word)));
  if (possible.length === 0) return 0;
  const plain = lower.replace(/[^\p{L}\p{N}\p{M}]+/gu, " ");
  return possible.filter((phrase) => plain.includes(phrase)).length;
}

/** Enough of a word to find its other forms: "tested" and "tests" for "testing". */
function stemOf(word: string): string {
  return word.length > 5 ? word.replace(/(?:ings?|ed|e?s|ly|ions?)$/, "") : word.replace(/s$/, "");
}

/** Longer than plans that are typed or pasted as a prompt: what follows is a log. */
const PROMPT_CHARS = 16_000;

/** Returns what was asked at the start of a turn, the first part of it when it is long. */
export function promptOf(turn: TurnText): string {
  return openingOf(turn).slice(0, PROMPT_CHARS);
}
