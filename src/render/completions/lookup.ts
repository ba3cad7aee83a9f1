/** What a shell offers from the memory, by the names that `mementor complete` takes. */
export const LOOKUPS = [
  "sessions",
  "turns",
  "branches",
  "prs",
  "commits",
  "authors",
  "answers",
  "models",
  "devices",
] as const;

export type Lookup = (typeof LOOKUPS)[number];

/** A word that a shell offers, and what it stands for; the description may be empty. */
export interface Offer {
  word: string;
  description: string;
}

/** What no shell takes for more than letters of a word: a branch may be called `$(…)`. */
const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_./+-]*$/u;

/** Renders what a shell offers, a line each: the word, a tab, what it stands for. Leaves out what a shell might run. */
export function renderOffers(offers: readonly Offer[]): string {
  return offers
    .filter(({ word }) => PLAIN.test(word))
    .map(({ word, description }) => `${word}\t${description.replace(/[\s\p{C}]+/gu, " ").trim()}\n`)
    .join("");
}
