import { HAN_LETTERS, HANGUL, HIRAGANA_LETTERS, UNSPACED, UNSPACED_LETTERS } from "./scripts.ts";

/** Letters that Unicode does not decompose, with their usual replacement on other keyboards. */
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
/** Full-width and half-width forms of letters, and ligatures. */
const FORMS = /[\uff01-\uffee\ufb00-\ufb06]+/g;
/** Letters with accents, and combining accents. `й` counts as a letter of its own. */
const ACCENTED = /[\u00df-\u00f6\u00f8-\u024f\u03ac-\u03ce\u1e00-\u1fffё]|[\u0300-\u036f]/g;
/** A combining accent after its letter. */
export const ACCENT = /[\u0300-\u036f]/g;
/** Matches a lower-case text that folding would change. Most texts are English and do not match. */
const FOLDS =
  /[\u00df-\u00f6\u00f8-\u024f\u03ac-\u03ce\u1100-\u11ff\u1e00-\u1fff\ufb00-\ufb06\uff01-\uffeeё]|[\u0300-\u036f]|[\u3099\u309a]/;

/**
 * Returns a text in the lower-case form for comparing words: `Größe` becomes `grosse`, `ИМЁН` becomes `имен`, `Işık` and `IŞIK`
 * become `isik`. Letters of several code points become one.
 */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  return FOLDS.test(lower) ? composed(lower).replace(ACCENTED, plain) : lower;
}

/** Returns a text with composed letters of normal width. */
export function composed(text: string): string {
  return text.replace(FORMS, (forms) => forms.normalize("NFKC").toLowerCase()).normalize("NFC");
}

function plain(letter: string): string {
  return PLAIN[letter] ?? letter.normalize("NFD").replace(ACCENT, "");
}

/** Returns a pattern for runs of one class of letters: unspaced scripts, Hangul, or any other letters, digits, marks and `_`. */
export function wordRuns(): RegExp {
  const other = `(?:(?![${UNSPACED_LETTERS}])[\\p{L}\\p{N}\\p{M}_])+`;
  return new RegExp(`(?<unspaced>[${UNSPACED}]+)|(?<hangul>[${HANGUL}]+)|${other}`, "gu");
}

const HAN = new RegExp(`^[${HAN_LETTERS}]$`, "u");
const HIRAGANA = new RegExp(`^[${HIRAGANA_LETTERS}]$`, "u");
const IS_HIRAGANA_ONLY = new RegExp(`^[${HIRAGANA_LETTERS}]+$`, "u");
/** Characters that end a word: Japanese and Chinese particles. */
const JAPANESE_PARTICLES = "はがをにのでともへや";
const CHINESE_PARTICLES = "的了吗呢吧";
/** Korean particles that rarely end a word by chance. */
const KOREAN_PARTICLE =
  /(?<=.)(?:에서는|으로는|에서도|으로도|에게서|에서|으로|부터|까지|에게|한테|처럼|보다|[을를은는에])$/u;

/** Returns the additional index terms of a run. */
export function indexPieces(run: string, isHangul: boolean): string[] {
  if (!isHangul) return [...pairs(run), ...Array.from(run).filter((character) => HAN.test(character))];
  const stem = withoutParticle(run);
  return Array.from(stem).length === 1 ? [...pairs(run), stem] : pairs(run);
}

/** Returns the query terms of a run: pairs within one word, as far as that can be told. */
export function queryPieces(run: string, isHangul: boolean): string[] {
  if (isHangul) return pairs(withoutParticle(run));
  if (IS_HIRAGANA_ONLY.test(run)) return pairs(run);
  const characters = Array.from(run);
  const covered = new Set<number>();
  const kept = pairs(run).filter((pair, at) => {
    if (characters.length > 1 && !isOneWord(pair)) return false;
    covered.add(at).add(at + 1);
    return true;
  });
  const alone = characters.filter(
    (character, at) => !covered.has(at) && HAN.test(character) && !CHINESE_PARTICLES.includes(character),
  );
  return [...kept, ...alone];
}

/** Tells whether a pair may lie within one word: not around a particle, and not across the start of a word. */
function isOneWord(pair: string): boolean {
  const [first = "", second = ""] = Array.from(pair);
  if (HIRAGANA.test(first) || JAPANESE_PARTICLES.includes(second)) return false;
  return !CHINESE_PARTICLES.includes(first) && !CHINESE_PARTICLES.includes(second);
}

function withoutParticle(word: string): string {
  return word.replace(KOREAN_PARTICLE, "");
}

/** Returns the overlapping pairs of characters of a run, or its only character. */
function pairs(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}
