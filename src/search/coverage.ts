import { openingOf } from "../turn/parts.ts";
import type { TurnText } from "../turn/text.ts";
import { wordForm } from "./background/word-form.ts";
import type { QueryParts } from "./query.ts";

/** The words and phrases of a query without their endings, as they are looked for in texts. */
export interface Sought {
  words: readonly { form: string; weight: number; rarity: number }[];
  phrases: readonly { phrase: string; form: string; words: readonly string[] }[];
}

/** Prepares a query once for all the texts in which it is looked for. */
export function soughtBy({ terms, phrases }: Pick<QueryParts, "terms" | "phrases">): Sought {
  return {
    words: terms.map(({ term, weight, rarity }) => ({ form: wordForm(term), weight, rarity })),
    phrases: phrases.map((phrase) => {
      const form = wordForm(phrase);
      return { phrase, form, words: form.split(" ") };
    }),
  };
}

/** Returns the total weight, in nats, of the query's words that a text contains in any of their forms. */
export function coveredWeight({ words }: Sought, text: string): number {
  const lower = text.toLowerCase();
  return words.reduce((sum, { form, weight }) => sum + (lower.includes(form) ? weight : 0), 0);
}

/** A sentence or two: words that stand this close belong together. */
const WINDOW_CHARS = 240;

/**
 * Returns the largest weight, or rarity, of the query's words in any window of a sentence or two, in nats.
 */
export function densest({ words }: Sought, worth: "weight" | "rarity", text: string): number {
  const lower = text.toLowerCase();
  const present = words.filter(({ form }) => lower.includes(form));
  let most = 0;
  for (let start = 0; present.length > 0 && start < lower.length; start += WINDOW_CHARS / 2) {
    const window = lower.slice(start, start + WINDOW_CHARS);
    const held = present.reduce((sum, word) => sum + (window.includes(word.form) ? word[worth] : 0), 0);
    most = Math.max(most, held);
  }
  return most;
}

/** Added to the number of phrases, since a text easily contains all of one or two. */
const MORE_PHRASES = 2;

/** Returns the share of a query's phrases that a text contains, lower when there are few. */
export function phraseShare(sought: Sought, text: string): number {
  return knownPhrases(sought, text).length / (sought.phrases.length + MORE_PHRASES);
}

/** Added to the total rarity of the phrases, in nats, since a text easily contains all of one or two. */
const MORE_PHRASE_RARITY = 8;

/** Returns the share of phrases that a text contains, each weighted by its rarity in nats. */
export function phraseRarity(rarities: ReadonlyMap<string, number>, sought: Sought, text: string): number {
  const sumOf = (phrases: Iterable<string>) =>
    [...phrases].reduce((sum, phrase) => sum + (rarities.get(phrase) ?? 0), 0);
  const held = sumOf(knownPhrases(sought, text));
  return held === 0 ? 0 : held / (sumOf(rarities.keys()) + MORE_PHRASE_RARITY);
}

/** Returns the phrases that a text contains. Punctuation between their words does not matter. */
function knownPhrases({ phrases }: Sought, text: string): string[] {
  const lower = text.toLowerCase();
  const possible = phrases.filter(({ words }) => words.every((word) => lower.includes(word)));
  if (possible.length === 0) return [];
  const plain = lower.replace(/[^\p{L}\p{N}\p{M}]+/gu, " ");
  return possible.filter(({ form }) => plain.includes(form)).map(({ phrase }) => phrase);
}

/** Longer than any plan that people type or paste as a prompt. What follows is a log. */
const PROMPT_CHARS = 16_000;

/** Returns the prompt at the start of a turn, or the first part of a long one. */
export function promptOf(turn: TurnText): string {
  return openingOf(turn).slice(0, PROMPT_CHARS);
}
