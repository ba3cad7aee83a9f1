/** Scripts without spaces between words, and Korean, as ranges of character classes. */

// Ranges of letters, digits and marks: tables of Unicode's properties take milliseconds to make, which a hook does not have.
export const HAN_LETTERS =
  "\\u3005-\\u3007\\u3021-\\u3029\\u3038-\\u303b\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{323af}";
export const HIRAGANA_LETTERS = "\\u3041-\\u3096\\u309d-\\u309f";
const KATAKANA_LETTERS = "\\u30a1-\\u30fa\\u30fc-\\u30ff\\u31f0-\\u31ff";
/** Thai, Lao, Tibetan, Myanmar, Khmer. */
const OTHER_LETTERS =
  "\\u0e01-\\u0e3a\\u0e40-\\u0e4e\\u0e50-\\u0e59\\u0e81-\\u0edf\\u0f00\\u0f18\\u0f19\\u0f20-\\u0f33\\u0f35\\u0f37\\u0f39\\u0f3e-\\u0f84\\u0f86-\\u0fbc\\u1000-\\u1049\\u1050-\\u109d\\u1780-\\u17d3\\u17d7\\u17dc\\u17dd\\u17e0-\\u17e9";
const HALF_WIDTH_KATAKANA = "\\uff66-\\uff9d";

/** Letters and digits of scripts without spaces, as ranges of a character class. */
export const UNSPACED = `${HAN_LETTERS}${HIRAGANA_LETTERS}${KATAKANA_LETTERS}${HALF_WIDTH_KATAKANA}${OTHER_LETTERS}`;
export const HANGUL = "\\u1100-\\u11ff\\u3131-\\u318e\\ua960-\\ua97c\\uac00-\\ud7a3\\ud7b0-\\ud7fb";

/** The same with those of Korean, which has spaces, but words with attached particles. */
export const UNSPACED_LETTERS = `${UNSPACED}${HANGUL}`;

/** Letters that count as a word in scripts without spaces. */
export const LETTERS_PER_WORD = 2;
