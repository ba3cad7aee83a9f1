import {
  ADDRESS,
  CALL_FIRST,
  DOTTED,
  EXPRESSION,
  isAddressOrPath,
  isCode,
  isDottedWords,
  isIdentifier,
  isLabel,
  isName,
} from "./code.ts";
import { isLowerCase } from "./generated.ts";
import {
  hasWordOfCode,
  isAlgorithm,
  isCamelPhrase,
  isChosenName,
  isCoupled,
  isDottedPhrase,
  isJoinedPhrase,
  isMadeUp,
  isNumberedType,
  isNumberedWord,
  isPair,
  isPhrase,
  isQuality,
} from "./made-up.ts";
import { MAYBE, NO_SECRET, PASSWORD, SECRET, type Strength } from "./names.ts";
import { isRegular, looksMixed, looksRandom, wordShare } from "./randomness.ts";
import { isPattern, isReference, isStandIn } from "./stand-ins.ts";

/**
 * The place of a value: quoted or bare in code, in a line of an environment or settings file, after a command's flag, after its
 * name in a sentence, or after its name and `is` or the like.
 */
export type Place = "quoted" | "code" | "setting" | "environment" | "flag" | "sentence" | "statement";

/** Tells whether a value is in a sentence. */
export function isSpoken(place: Place): boolean {
  return place === "sentence" || place === "statement";
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** Minimum length of a secret by the strength of its name. */
const MIN_LENGTHS: Readonly<Record<Strength, number>> = {
  [NO_SECRET]: 24,
  [MAYBE]: 16,
  [SECRET]: 6,
  [PASSWORD]: 5,
};

/** Validation rules, as in Laravel, and the id of a GnuPG key. */
const RULES = /^(?:required|nullable|sometimes|bail|string|confirmed|min:\d+|max:\d+)(?:\|[\w:,.]+)+$/;
const KEY_ID = /^(?:0x[0-9a-fA-F]{8,16}|(?=\d*[A-F])(?=[A-F]*\d)[0-9A-F]{16})$/;

/** The key of a cache: words, and the hash of a lock file. */
const CACHE_KEY = /^[A-Za-z][\w.]*-(?:[\w.]+-){0,4}(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Tells whether a value is a secret, given the meaning of its name and its place. */
export function isSecretValue(value: string, strength: Strength, place: Place): boolean {
  if (isTooShort(value, strength, place)) return false;
  if (strength >= MAYBE && place !== "code" && isKeyboardMash(value)) return !isPattern(value);
  if (!isRandomEnough(value, strength) || isStandIn(value)) return false;
  if (/\s/.test(value)) return isSecretSentence(value, strength, place);
  if (isAddressOrPath(value) || isCode(value) || RULES.test(value) || KEY_ID.test(value)) return false;
  switch (strength) {
    case NO_SECRET:
      return looksMixed(value) && isKey(value);
    case MAYBE:
      if (isSpoken(place)) return isSpokenKey(value, place);
      return !UUID.test(value) && !CACHE_KEY.test(value);
    case SECRET:
      return isSecretWord(value, place);
    case PASSWORD:
      return isPasswordWord(value, place);
  }
}

function isSpokenKey(value: string, place: Place): boolean {
  if (place === "statement" && /^(?:[\da-f]{32}){1,2}$/.test(value)) return true;
  if (place === "statement" && isLowerCase(value)) return true;
  return value.length >= 12 && /^[A-Za-z\d]+$/.test(value) && looksMixed(value);
}

function isTooShort(value: string, strength: Strength, place: Place): boolean {
  const { length } = value;
  if (strength === MAYBE && isMarkedWord(value)) return false;
  return (
    length < MIN_LENGTHS[strength] ||
    (isSpoken(place) && length < 12 && !/\d/.test(value) && !isCoupled(value))
  );
}

/** Tells whether a value is random enough for a weak name. For other names, any value is. */
function isRandomEnough(value: string, strength: Strength): boolean {
  if (strength === NO_SECRET) return isLong(value);
  return strength !== MAYBE || looksRandom(value) || isMarkedWord(value);
}

/** Tells whether a value is capitalised words with a number and a symbol, a form only of passwords: `BlueHorse77!`. */
function isMarkedWord(value: string): boolean {
  return /^(?:[A-Z][a-z]+){1,4}\d{2,4}[!#$%&*?]{1,2}$/.test(value) && isMadeUp(value);
}

/**
 * Tells whether a value has twenty or more characters with symbols throughout, which only a secret has, even with `$(` inside or
 * `<` at its start.
 */
function isKeyboardMash(value: string): boolean {
  if (value.length < 20 || value.length > 300) return false;
  if (/\$\{|\{\{|redacted|:\/\/|A-Za-z|a-z0-9|A-Z0-9|0-9a-f/.test(value)) return false;
  const blanks = value.match(/\s/g)?.length ?? 0;
  const marks = value.match(/[^\w\s]/g)?.length ?? 0;
  if (blanks > 0 && (blanks > 3 || marks < 12)) return false;
  return marks >= 4 && /\d.*\d/.test(value) && /[A-Za-z].*[A-Za-z]/.test(value) && wordShare(value) < 0.3;
}

/** Tells quickly whether a value is one word with sixteen consecutive letters and digits. */
function isLong(value: string): boolean {
  return /^[\w+/=.~-]+$/.test(value) && /[A-Za-z0-9]{16}/.test(value);
}

/** Tells whether a value is one long random run of letters and digits, and not a known form of a hash or file. */
function isKey(value: string): boolean {
  const longest = value.split(/[^A-Za-z0-9]+/).reduce((a, b) => (b.length > a.length ? b : a), "");
  return longest.length >= 16 && looksMixed(longest) && !isKnownForm(value);
}

function isKnownForm(value: string): boolean {
  return /^(?:[0-9a-f]+|sha\d+-.*|h1:.*|Qm[1-9A-HJ-NP-Za-km-z]{44}|iVBOR.*|R0lGOD.*|\/9j\/.*|data:.*|=.*|\/[a-z]+\..*|(?:price|prod|cus|sub|pi|evt|acct|seti)_1.*)$/i.test(
    value,
  );
}

function isSecretWord(value: string, place: Place): boolean {
  if (isSpoken(place)) return isSpokenSecret(value);
  if (looksRandom(value) || UUID.test(value)) return true;
  if (/^\d+$/.test(value)) return place !== "code" && place !== "setting" && !isRegular(value);
  if (place === "environment") return !DOTTED.test(value);
  if (place !== "code" && isChosenSecret(value)) return true;
  if (place === "setting" && value.length > 8 && (isNumberedWord(value) || isNumberedPhrase(value)))
    return true;
  if ((place === "code" || place === "setting") && EXPRESSION.test(value)) return false;
  return !isName(value) && place !== "code" && /[A-Za-z]/.test(value) && /[\d!@#%^*+/=?&~]/.test(value);
}

/** Tells whether capitalised or joined words have digits in place of letters: `0ctober_Rain`, `tr4inSpotting`. */
function isLeet(value: string): boolean {
  return (
    /^[a-z]{0,3}[013457][a-z]{2}|[A-Z_-][a-z]{0,3}[013457][a-z]{2}/.test(value) &&
    /[A-Z]/.test(value) &&
    isChosenName(value)
  );
}

function isSpokenSecret(value: string): boolean {
  if (isJoinedAndNumbered(value) || isMarkedNumber(value) || (/^\d{16,24}$/.test(value) && !isRegular(value)))
    return true;
  if (/[a-z][A-Z].*\d\d|[a-z]-[A-Z].*\d/.test(value) && isChosenName(value)) return true;
  if (/[&+#!^~*$]|@[A-Z]/.test(value) && isCoupled(value)) return true;
  return value.length < 12 ? looksMixed(value) : looksRandom(value) || UUID.test(value);
}

/** Tells whether a value is chosen words and a number, but not a version or a class with a number. */
function isChosenSecret(value: string): boolean {
  if (/[.:/]/.test(value)) return false;
  if (/[a-z][A-Z].*\d\d|\d.*[!#$%&*?]$/.test(value) && isChosenName(value)) return true;
  if (isCoupled(value) || isLeet(value) || isJoinedAndNumbered(value)) return true;
  if (!isMadeUp(value) || !/[a-z]{3}/.test(value)) return false;
  if (/^[A-Za-z]+\d{1,2}$|V\d|^[A-Z][a-z]+[A-Z][a-z]+\w*$/.test(value)) return false;
  return /[A-Z].*\d\d$|(?:^|[-_])[A-Z].*[-_]\d+$/.test(value);
}

/** A digit in a word of capitals, or capitals within the second of two words: `H3RMELYN`, `Welkom-OfiKCf`. */
function isOddlyCased(value: string): boolean {
  return (
    /^(?!UTF|BASE|SHA|MD|ISO|IPV|OAUTH|X50|UINT|INT)[A-Z]\d[A-Z]{4,8}$|^[A-Z][a-z]{2,}[-_.](?=\w*(?:[a-z][A-Z]{2}|[A-Z]{2}[a-z]))[A-Za-z]{4,}$/.test(
      value,
    ) && !hasWordOfCode(value)
  );
}

/** Tells whether a value is three or more lower-case words joined with a number: `casa-bello-mare-2024`. */
function isNumberedPhrase(value: string): boolean {
  return /^[a-z]+(?:-[a-z]+)+-\d{2,4}$/.test(value) && isMadeUp(value) && !hasWordOfCode(value);
}

/** Tells whether a value is a word joined with a number: `kettledrum+1`. */
function isMarkedNumber(value: string): boolean {
  return /^\p{L}{5,20}[&+#!^~*$@]\d{1,4}$/u.test(value);
}

/** Tells whether a value is joined capitalised words with a number at the end: `Kingpin_Bowling3`. */
function isJoinedAndNumbered(value: string): boolean {
  return /^\p{Lu}\p{Ll}{2,}[-_&+#]\p{Lu}\p{Ll}{2,}[-_]?\d{1,4}$/u.test(value) && isChosenName(value);
}

function isSpokenPassword(value: string): boolean {
  if (CALL_FIRST.test(value) || value.length < 6) return false;
  return (
    looksRandom(value) ||
    isPunctuated(value) ||
    (isMixedWord(value) && !isAlgorithm(value)) ||
    isOdd(value) ||
    isJoined(value) ||
    isMarkedNumber(value) ||
    isOddlyCased(value) ||
    (/[a-z][._&+#!-][A-Z].*\d/.test(value) && isChosenName(value)) ||
    (/\d\d/.test(value) && /[A-Z]/.test(value) && isChosenName(value))
  );
}

/** Tells, by place, whether a value that is not a number is a password. An unquoted one may be a call. */
const IS_PASSWORD: Readonly<Record<Place, (value: string) => boolean>> = {
  sentence: (value) =>
    isSpokenPassword(value) || (!/[-.]/.test(value) && /[A-Z]/.test(value) && isCoupled(value)),
  statement: (value) =>
    isSpokenPassword(value) ||
    isMadeUp(value) ||
    (!/[.]/.test(value) && isCoupled(value) && !isQuality(value)) ||
    isLongPhrase(value) ||
    isDottedPhrase(value),
  code: (value) =>
    !CALL_FIRST.test(value) &&
    (looksRandom(value) ||
      isOdd(value) ||
      (/\d\d/.test(value) && isChosenName(value)) ||
      (!/[./]|-[a-z]/.test(value) && /[A-Z]/.test(value) && isCoupled(value)) ||
      (!EXPRESSION.test(value) && (isPunctuated(value) || (/[A-Z]/.test(value) && isMadeUp(value))))),
  setting: (value) =>
    !CALL_FIRST.test(value) && !isDottedWords(value) && !isNumberedType(value) && isPasswordSetting(value),
  environment: (value) => isCoupled(value) || !isDottedWords(value),
  flag: (value) => isCoupled(value) || !isDottedWords(value),
  quoted: (value) => isCoupled(value) || (!isDottedWords(value) && !isLabel(value)),
};

function isPasswordWord(value: string, place: Place): boolean {
  if (!/^\d+$/.test(value)) return IS_PASSWORD[place](value);
  return (place !== "code" || value.length >= 6) && !isRegular(value);
}

/** Tells whether a value is three words or more that are unusual in text about passwords. */
function isLongPhrase(value: string): boolean {
  return /-.+-|_.+_.+_/.test(value) && isJoinedPhrase(value);
}

function isPasswordSetting(value: string): boolean {
  if (isPunctuated(value) || looksRandom(value) || isOdd(value)) return true;
  if (
    (value.includes("-") && isJoinedPhrase(value)) ||
    isLongPhrase(value) ||
    isCamelPhrase(value) ||
    isDottedPhrase(value) ||
    isOddlyCased(value)
  )
    return true;
  if (/^[a-z]{8,}$/.test(value)) return wordShare(value) < 0.5;
  if (
    isChosenName(value) ||
    (!/[./]/.test(value) && isCoupled(value)) ||
    (/[-.]/.test(value) && /\d$/.test(value) && isMadeUp(value))
  )
    return true;
  return (
    /[A-Za-z]/.test(value) &&
    /\d/.test(value) &&
    !(/^[a-z_].*(?:[_.-]|[a-z][A-Z])/.test(value) && isIdentifier(value))
  );
}

/** Tells whether a value has letters of both cases and symbols that form no words, without a digit. */
function isOdd(value: string): boolean {
  return (
    value.length >= 8 &&
    /^[A-Za-z!@#%^&*=+?~]+$/.test(value) &&
    /[a-z]/.test(value) &&
    /[A-Z]/.test(value) &&
    wordShare(value) < 0.4
  );
}

function isMixedWord(value: string): boolean {
  return (
    value.length >= 6 &&
    /[a-z]/.test(value) &&
    /[A-Z]/.test(value) &&
    /\d/.test(value) &&
    (wordShare(value) < 0.8 || /^\d/.test(value))
  );
}

/** Tells whether a value is capitalised words with a number at the end, as in made-up passwords: `Walnut-Ferry-19`. */
function isJoined(value: string): boolean {
  return /^(?:\p{Lu}\p{Ll}{2,12}[-_.]){2,4}\d{1,4}!?$/u.test(value);
}

function isPunctuated(value: string): boolean {
  return /[A-Za-z]/.test(value) && /\d/.test(value) && /[^\w\s.,'"-]/.test(value);
}

/**
 * Tells whether a value with blanks is a secret: a passphrase of words, or a random value from an alphabet with a blank, but
 * never a sentence.
 */
function isSecretSentence(value: string, strength: Strength, place: Place): boolean {
  if (place === "statement" && strength === PASSWORD && isAppPassword(value)) return true;
  if (place === "code" || isSpoken(place) || strength < SECRET || value.length > 300) return false;
  if (/[\w)]\(|=>|[{};]$|\bfunction\b|\breturn\b/.test(value)) return false;
  if ((strength === PASSWORD && isAppPassword(value)) || isSpelled(value)) return true;
  if (isTelling(value)) return true;
  if (strength === PASSWORD && place === "flag" && isPair(value)) return true;
  return (
    strength === PASSWORD &&
    (place === "quoted" || place === "environment" || place === "flag") &&
    (isPhrase(value) || (place === "environment" && isLine(value)))
  );
}

/**
 * Tells whether a value is five or more lower-case words, such as a line of a poem, with message words only if they are function
 * words.
 */
function isLine(value: string): boolean {
  const words = value.split(" ");
  const long = words.filter((word) => !/^(?:the|a|an|of|in|on|and|over|under|to|with|at|by)$/.test(word));
  return words.length > 4 && long.length > 2 && /^[\p{Ll} ]+$/u.test(value) && isPhrase(long.join(" "));
}

/**
 * Tells whether a value is a random word or symbols among few words. In a sentence of plain words, such a word is found by its
 * own form.
 */
function isTelling(value: string): boolean {
  const words = value.split(/\s+/);
  const plain = words.filter((word) => /^[A-Za-z][a-z'’]+[,.;:]?$/.test(word)).length;
  if (plain >= 4 && plain * 5 >= words.length * 3) return false;
  return isMarked(value) || words.some(isRandomWord);
}

function isRandomWord(word: string): boolean {
  return word.length >= 8 && looksRandom(word) && !isReference(word) && !ADDRESS.test(word);
}

/** Tells whether symbols are among letters that form no words. */
function isMarked(value: string): boolean {
  const marks = value.match(/[^\w\s.,'"():;-]/g)?.length ?? 0;
  return /\d/.test(value) && marks >= 2 && wordShare(value) < 0.6;
}

/** Tells whether a value is single letters and digits, or bytes in hex. */
function isSpelled(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return /^(?:[!-~] )+[!-~]$/.test(value) || /^(?:[0-9a-f]{2} )+[0-9a-f]{2}$/i.test(value);
}

/** Tells whether a value is four groups of four letters, as in app passwords. */
export function isAppPassword(value: string): boolean {
  return /^[a-z]{4}(?: [a-z]{4}){3}$/.test(value) && wordShare(value) < 0.8;
}
