/** Scripts written without blanks between words. */
const UNSPACED =
  /(?:(?=[\p{L}\p{N}\p{M}])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}ー])+/u;
/** Scripts whose words have grammatical endings attached, so that parts of words must match too. */
const SYLLABIC = /(?:(?=\p{L})\p{Script=Hangul})+/u;

/** Runs of letters of one kind of script: unspaced, Hangul, or any other letters, digits and marks with `_`. */
export const WORD_RUN = new RegExp(
  `(?<unspaced>${UNSPACED.source})|(?<hangul>${SYLLABIC.source})|[\\p{L}\\p{N}\\p{M}_]+`,
  "gu",
);

/** Returns overlapping pairs of characters, or the character itself when there is only one. */
export function bigrams(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}
