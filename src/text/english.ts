import { ENGLISH_WORDS, OTHER_WORDS } from "./stop-words.ts";

const LETTERS = /\p{L}/gu;
const LATIN = /\p{Script=Latin}/u;
const WORD = /[\p{L}'’]+/gu;
/** Code, paths and addresses, which are in no language. */
const CODE = /`[^`]*`|[!-~]*[/\\_.:>][!-~]+/g;
/** From this share of letters on, other scripts than the Latin one are no names in an English text. */
const OTHER_SCRIPT = 0.25;
/** Only so many characters are looked at. */
const HEAD = 1_000;

/**
 * Whether a text is in another language than English: by its script, or since it has more of the most frequent words of
 * other languages. A text without such words, as one of names and code alone, is not.
 */
export function isOtherThanEnglish(text: string): boolean {
  const head = text.slice(0, HEAD).replace(CODE, " ").toLowerCase();
  const letters = head.match(LETTERS) ?? [];
  const others = letters.filter((letter) => !LATIN.test(letter)).length;
  if (others > OTHER_SCRIPT * letters.length) return true;
  const words = head.match(WORD) ?? [];
  const count = (has: ReadonlySet<string>, not: ReadonlySet<string>) =>
    words.filter((word) => has.has(word) && !not.has(word)).length;
  return count(OTHER_WORDS(), ENGLISH_WORDS()) > count(ENGLISH_WORDS(), OTHER_WORDS());
}
