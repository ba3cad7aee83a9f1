import type { SearchStore } from "../../store/store.ts";
import { keywordTerms } from "../../text/keywords.ts";
import { shareOfTexts } from "../common-words.ts";
import { RARE_SHARE, RARE_TURNS, wordRarity } from "../query.ts";
import type { SoughtWords } from "../statement/features.ts";
import { wordForm } from "../word-form.ts";

/** Number of a text's words to read, and of its rarest words to compare. */
const WORDS = { read: 600, compared: 60 } as const;

/** The words of a text with their rarity in this memory, in nats. */
export type SubjectWords = ReadonlyMap<string, number>;

/** Returns the rare words of texts, weighted by how few turns of this memory contain them. */
export async function buildSubjects(
  texts: readonly string[],
  store: Pick<SearchStore, "termTurns">,
  turns: number,
): Promise<SubjectWords[]> {
  const read = texts.map((text) => keywordTerms(text, WORDS.read));
  const shares = new Map([...new Set(read.flat())].map((word) => [word, shareOfTexts(word)]));
  const share = (word: string) => shares.get(word) ?? 0;
  const words = read.map((each) => rarest(each, share));
  const maxTurns = Math.max(RARE_TURNS, Math.floor(turns * RARE_SHARE));
  const held = await store.termTurns([...new Set(words.flat())], maxTurns);
  const rarity = (word: string) =>
    wordRarity(share(word), held.get(word)?.length ?? Math.max(maxTurns, turns / 2), turns);
  return words.map((each) => new Map(each.map((word) => [wordForm(word), rarity(word)])));
}

function rarest(words: readonly string[], share: (word: string) => number): readonly string[] {
  if (words.length <= WORDS.compared) return words;
  return words.toSorted((a, b) => share(a) - share(b)).slice(0, WORDS.compared);
}

/** Returns the likeness of two texts, 0 to 1: the cosine of their rare words. */
export function likeness(a: SubjectWords, b: SubjectWords): number {
  const size = (words: SubjectWords) =>
    Math.sqrt([...words.values()].reduce((sum, rarity) => sum + rarity ** 2, 0));
  return shared(a, b, 2) / Math.max(1e-6, size(a) * size(b));
}

/** Returns the share of a text's rare words that another text contains, 0 to 1. */
export function containment(small: SubjectWords, large: SubjectWords): number {
  const total = [...small.values()].reduce((sum, rarity) => sum + rarity, 0);
  return shared(small, large, 1) / Math.max(1e-6, total);
}

/** Returns the share of the sought words that both texts contain, 0 to 1. */
export function sharedWeight({ words, total }: SoughtWords, a: SubjectWords, b: SubjectWords): number {
  const both = words.filter(({ form }) => a.has(form) && b.has(form));
  return both.reduce((sum, { weight }) => sum + weight, 0) / Math.max(1e-6, total);
}

function shared(a: SubjectWords, b: SubjectWords, power: number): number {
  let sum = 0;
  for (const [word, rarity] of a) if (b.has(word)) sum += rarity ** power;
  return sum;
}

const NUMBER =
  /\d+(?:[.,]\d+)*|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|sixty|half|once|twice)\b/gi;

/** Returns the numbers in a text, as digits or English words. */
export function numbersIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(NUMBER));
}
