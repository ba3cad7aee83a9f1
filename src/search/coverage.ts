import { openingOf } from "../turn/parts.ts";
import type { TurnText } from "../turn/text.ts";
import { wordForm } from "./background/word-form.ts";
import type { QueryParts } from "./query.ts";

/** Returns the weight, in nats, of those words of a query that a text holds in any of their forms. */
export function coveredWeight({ terms }: Pick<QueryParts, "terms">, text: string): number {
  const lower = text.toLowerCase();
  return terms.reduce((sum, { term, weight }) => sum + (lower.includes(wordForm(term)) ? weight : 0), 0);
}

/** A sentence or two: words that stand so close say something together. */
const WINDOW_CHARS = 240;

/** Returns the most weight, in nats, that a stretch of a sentence or two of a text holds of a query's words. */
export function densestWeight({ terms }: Pick<QueryParts, "terms">, text: string): number {
  return densest(
    terms.map(({ term, weight }) => ({ form: wordForm(term), worth: weight })),
    text,
  );
}

/** The same, with the rarity of the words. */
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

/** A query of one or two phrases is held soon: shares are taken as if it had so many more. */
const MORE_PHRASES = 2;

/** Returns which share of a query's phrases a text holds, less where there are few. */
export function phraseShare({ phrases }: Pick<QueryParts, "phrases">, text: string): number {
  return knownPhrases(phrases, text).length / (phrases.length + MORE_PHRASES);
}

/** A query of one or two phrases is held soon: shares are taken as if it had so many nats more. */
const MORE_PHRASE_RARITY = 8;

/** Returns which share of some phrases a text holds, each counted by its rarity in nats. */
export function phraseRarity(rarities: ReadonlyMap<string, number>, text: string): number {
  const sumOf = (phrases: Iterable<string>) =>
    [...phrases].reduce((sum, phrase) => sum + (rarities.get(phrase) ?? 0), 0);
  const held = sumOf(knownPhrases([...rarities.keys()], text));
  return held === 0 ? 0 : held / (sumOf(rarities.keys()) + MORE_PHRASE_RARITY);
}

/** Those of the phrases that a text holds, whatever stands between their words. */
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

/** Longer than plans that are typed or pasted as a prompt: what follows is a log. */
const PROMPT_CHARS = 16_000;

/** Returns what was asked at the start of a turn, the first part of it when it is long. */
export function promptOf(turn: TurnText): string {
  return openingOf(turn).slice(0, PROMPT_CHARS);
}
