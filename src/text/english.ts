import { ENGLISH_WORDS, OTHER_WORDS } from "./stop-words.ts";

const LETTER = /\p{L}/gu;
const NOT_LATIN = /[\p{L}--\p{Script=Latin}]/gv;
const WORD = /[\p{L}'’]+/gu;
/** Code, paths and addresses, which are in no language. */
const CODE = /`[^`]*`|[!-~]{0,100}[/\\_.:>][!-~]+/g;
/** With this share of letters of other scripts, a text is not English: names in an English text have fewer. */
const OTHER_SCRIPT = 0.25;
/** Only so many characters are looked at. */
const HEAD = 1_000;

/**
 * Whether a text is in another language than English: by its script, or since it has more of the most frequent words of
 * other languages. A text without such words, as one of names and code alone, is not.
 */
export function isOtherThanEnglish(text: string): boolean {
  const head = text.slice(0, HEAD).replace(CODE, " ").toLowerCase();
  const others = head.match(NOT_LATIN)?.length ?? 0;
  if (others > OTHER_SCRIPT * (head.match(LETTER)?.length ?? 0)) return true;
  const words = head.match(WORD) ?? [];
  const count = (has: ReadonlySet<string>, not: ReadonlySet<string>) =>
    words.filter((word) => has.has(word) && !not.has(word)).length;
  return count(OTHER_WORDS(), ENGLISH_WORDS()) > count(ENGLISH_WORDS(), OTHER_WORDS());
}
