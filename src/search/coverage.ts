import { openingOf } from "../turn/parts.ts";
import type { TurnText } from "../turn/text.ts";
import { wordForm } from "./background/word-form.ts";
import type { QueryParts } from "./query.ts";

/** Returns the total weight, in nats, of the query's words that a text contains in any of their forms. */
export function coveredWeight({ terms }: Pick<QueryParts, "terms">, text: string): number {
  const lower = text.toLowerCase();
  return terms.reduce((sum, { term, weight }) => sum + (lower.includes(wordForm(term)) ? weight : 0), 0);
}

/** A sentence or two: words that stand this close belong together. */
const WINDOW_CHARS = 240;

/** Returns the largest weight of the query's words, in nats, in any window of a sentence or two. */
export function densestWeight({ terms }: Pick<QueryParts, "terms">, text: string): number {
  return densest(
    terms.map(({ term, weight }) => ({ form: wordForm(term), worth: weight })),
    text,
  );
}

/** Like `densestWeight`, with the rarity of the words instead of their weight. */
export function densestRarity({ terms }: Pick<QueryParts, "terms">, text: string): number {
  return densest(
    terms.map(({ term, rarity }) => ({ form: wordForm(term), worth: rarity })),
    text,
  );
}

function densest(words: readonly { form: string; worth: number }[], text: string): number {
  const lower = text.toLowerCase();
  const present = words.filter(({ form }) => lower.includes(form));
  let densestWorth = 0;
  for (let start = 0; start < lower.length; start += WINDOW_CHARS / 2) {
    const window = lower.slice(start, start + WINDOW_CHARS);
    const held = present.reduce((sum, { form, worth }) => sum + (window.includes(form) ? worth : 0), 0);
    densestWorth = Math.max(densestWorth, held);
  }
  return densestWorth;
}

/** Added to the number of phrases, since a text easily contains all of one or two. */
const MORE_PHRASES = 2;

/** Returns the share of a query's phrases that a text contains, lower when there are few. */
export function phraseShare({ phrases }: Pick<QueryParts, "phrases">, text: string): number {
  return knownPhrases(phrases, text).length / (phrases.length + MORE_PHRASES);
}

/** Added to the total rarity of the phrases, in nats, since a text easily contains all of one or two. */
const MORE_PHRASE_RARITY = 8;

/** Returns the share of phrases that a text contains, each weighted by its rarity in nats. */
export function phraseRarity(rarities: ReadonlyMap<string, number>, text: string): number {
  const sumOf = (phrases: Iterable<string>) =>
    [...phrases].reduce((sum, phrase) => sum + (rarities.get(phrase) ?? 0), 0);
  const held = sumOf(knownPhrases([...rarities.keys()], text));
  return held === 0 ? 0 : held / (sumOf(rarities.keys()) + MORE_PHRASE_RARITY);
}

/** Returns the phrases that a text contains. Punctuation between their words does not matter. */
function knownPhrases(phrases: readonly string[], text: string): string[] {
  const lower = text.toLowerCase();
  const possible = phrases.filter((phrase) =>
    wordForm(phrase)
      .split(" ")
      .every((word) => lower.includes(word)),
  );
  if (possible.length === 0) return [];
  const plain = lower.replace(/[^\p{L}\p{N}\p{M}]+/gu, " ");
  return possible.filter((phrase) => plain.includes(wordForm(phrase)));
}

/** Longer than any plan that people type or paste as a prompt. What follows is a log. */
const PROMPT_CHARS = 16_000;

/** Returns the prompt at the start of a turn, or the first part of a long one. */
export function promptOf(turn: TurnText): string {
  return openingOf(turn).slice(0, PROMPT_CHARS);
}
