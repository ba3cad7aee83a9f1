import { folded } from "../text/fold.ts";
import { openingText } from "../turn/parts.ts";
import type { TurnText } from "../turn/text.ts";
import type { QueryParts } from "./query.ts";
import { wordForm } from "./word-form.ts";

// A hook calls these for hundreds of texts and ends before they are compiled. Until then, loops are faster than closures.

/** The words and phrases of a query without their endings, for searching in texts. */
export interface Sought {
  words: readonly { form: string; weight: number; rarity: number }[];
  phrases: readonly { phrase: string; form: string; words: readonly string[] }[];
}

/** Prepares a query once for many texts. */
export function prepareQuery({ terms, phrases }: Pick<QueryParts, "terms" | "phrases">): Sought {
  return {
    words: terms.map(({ term, weight, rarity }) => ({ form: wordForm(term), weight, rarity })),
    phrases: phrases.map((phrase) => {
      const form = wordForm(phrase);
      return { phrase, form, words: form.split(" ") };
    }),
  };
}

/** Returns the total weight, in nats, of the query's words that a text contains in any form. */
export function coveredWeight({ words }: Sought, text: string): number {
  const lower = folded(text);
  let sum = 0;
  for (const { form, weight } of words) if (lower.includes(form)) sum += weight;
  return sum;
}

/** Length of a window of a sentence or two, in which words belong together. Windows overlap by half. */
const WINDOW_CHARS = 240;
const STEP_CHARS = WINDOW_CHARS / 2;

/** Returns the largest total weight or rarity, in nats, of the query's words in any such window. */
export function densest({ words }: Sought, worth: "weight" | "rarity", text: string): number {
  const lower = folded(text);
  const sums = new Float64Array(Math.ceil(lower.length / STEP_CHARS));
  for (const word of words) addToWindows(sums, lower, word.form, word[worth]);
  let most = 0;
  for (const sum of sums) if (sum > most) most = sum;
  return most;
}

/** Adds a word's worth to each window that contains the word. */
function addToWindows(sums: Float64Array, text: string, word: string, worth: number): void {
  // Start of the windows that have not counted the word yet, so that each counts it once.
  let next = 0;
  let at = text.indexOf(word);
  while (at >= 0 && next < sums.length) {
    const last = Math.floor(at / STEP_CHARS);
    next = Math.max(next, Math.ceil((at + word.length - WINDOW_CHARS) / STEP_CHARS));
    for (; next <= last; next++) sums[next] = (sums[next] ?? 0) + worth;
    at = text.indexOf(word, Math.max(at + 1, next * STEP_CHARS));
  }
}

/** Added to the number of phrases, because a text easily contains all of one or two. */
const MORE_PHRASES = 2;

/** Returns the share of a query's phrases that a text contains, lower for few phrases. */
export function phraseShare(sought: Sought, text: string): number {
  return knownPhrases(sought, text).length / (sought.phrases.length + MORE_PHRASES);
}

/** Added to the total rarity of the phrases, in nats, because a text easily contains all of one or two. */
const MORE_PHRASE_RARITY = 8;

/** Returns the share of phrases that a text contains, weighted by rarity in nats. */
export function phraseRarity(rarities: ReadonlyMap<string, number>, sought: Sought, text: string): number {
  const sumOf = (phrases: Iterable<string>) =>
    [...phrases].reduce((sum, phrase) => sum + (rarities.get(phrase) ?? 0), 0);
  const held = sumOf(knownPhrases(sought, text));
  return held === 0 ? 0 : held / (sumOf(rarities.keys()) + MORE_PHRASE_RARITY);
}

/** Returns the phrases that a text contains, ignoring punctuation between their words. */
function knownPhrases({ phrases }: Sought, text: string): string[] {
  const lower = folded(text);
  const possible: Sought["phrases"][number][] = [];
  for (const phrase of phrases) if (containsAll(lower, phrase.words)) possible.push(phrase);
  if (possible.length === 0) return [];
  const plain = lower.replace(/[^\p{L}\p{N}\p{M}]+/gu, " ");
  return possible.filter(({ form }) => plain.includes(form)).map(({ phrase }) => phrase);
}

function containsAll(text: string, words: readonly string[]): boolean {
  for (const word of words) if (!text.includes(word)) return false;
  return true;
}

/** Maximum length of a prompt; longer than any plan that people type or paste. The rest is a log. */
const PROMPT_CHARS = 16_000;

/** Returns the prompt at the start of a turn, or the first part of a long one. */
export function turnPrompt(turn: TurnText): string {
  return openingText(turn).slice(0, PROMPT_CHARS);
}
