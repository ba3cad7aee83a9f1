/** Letters that have no plain letter inside them, by what people write where they have no such key. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  þ: "th",
  ŧ: "t",
  ŋ: "n",
  ё: "е",
  ς: "σ",
};
/** Wide and narrow forms of letters, and letters that are printed as one. */
const FORMS = /[\uff01-\uffee\ufb00-\ufb06]+/g;
/** Letters with accents, and accents alone. `й` is a letter of its own. */
const ACCENTED = /[\u00df-\u00f6\u00f8-\u024f\u03ac-\u03ce\u1e00-\u1fffё]|[\u0300-\u036f]/g;
/** An accent of its own, behind the letter that it stands on. */
export const ACCENT = /[\u0300-\u036f]/g;
/** Whether anything here changes a lower-case text. Most texts are English. */
const FOLDS =
  /[\u00df-\u00f6\u00f8-\u024f\u03ac-\u03ce\u1100-\u11ff\u1e00-\u1fff\ufb00-\ufb06\uff01-\uffeeё]|[\u0300-\u036f]|[\u3099\u309a]/;

/**
 * Returns a text in lower case as words are compared: `Größe` is `grosse`, `ИМЁН` is `имен`, `Işık` and `IŞIK` are
 * `isik`, and letters written in several code points are one.
 */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  return FOLDS.test(lower) ? composed(lower).replace(ACCENTED, plain) : lower;
}

/** Returns a text whose letters are of one code point each where they can be, and of the usual width. */
export function composed(text: string): string {
  return text.replace(FORMS, (forms) => forms.normalize("NFKC").toLowerCase()).normalize("NFC");
}

function plain(letter: string): string {
  return PLAIN[letter] ?? letter.normalize("NFD").replace(ACCENT, "");
}
