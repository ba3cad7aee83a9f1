import { keywordTerms } from "../text/keywords.ts";
import { shareOfTexts } from "./common-words.ts";
import { wordForm } from "./word-form.ts";

/** Returns the rarity of each distinct word of a text among developers' texts, in nats. */
export function rareWords(text: string, limit = 80): Map<string, number> {
  return new Map(
    keywordTerms(text, limit).map((term) => [wordForm(term), -Math.log(Math.max(1e-4, shareOfTexts(term)))]),
  );
}

/** Returns the share of a text's words, weighted by rarity, that another lower-case text contains. */
export function sharedRarity(words: ReadonlyMap<string, number>, lower: string): number {
  let [held, total] = [0, 0];
  for (const [form, rarity] of words) {
    total += rarity;
    if (lower.includes(form)) held += rarity;
  }
  return total === 0 ? 0 : held / total;
}
