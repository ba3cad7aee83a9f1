/** Forms of the passwords and passphrases that people make up, whatever names them. */
import { ADDRESS, CALL_FIRST, isIdentifier } from "./code.ts";
import {
  hasWordOfCode,
  isAlgorithm,
  isCamelPhrase,
  isChosenName,
  isCoupled,
  isDottedPhrase,
  isJoinedPhrase,
  isMadeUp,
  isPhrase,
} from "./made-up.ts";
import { isRegular, looksMixed, looksRandom, wordShare } from "./randomness.ts";
import { isReference } from "./stand-ins.ts";

export const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Tells whether a value is capitalised words with a number and a symbol, a form only of passwords: `BlueHorse77!`. */
export function isMarkedWord(value: string): boolean {
  return /^(?:[A-Z][a-z]+){1,4}\d{2,4}[!#$%&*?]{1,2}$/.test(value) && isMadeUp(value);
}

/**
 * Tells whether a value has twenty or more characters with symbols throughout, which only a secret has, even with `$(` inside or
 * `<` at its start.
 */
export function isKeyboardMash(value: string): boolean {
  if (value.length < 20 || value.length > 300) return false;
  if (/\$\{|\{\{|redacted|:\/\/|A-Za-z|a-z0-9|A-Z0-9|0-9a-f/.test(value)) return false;
  const blanks = value.match(/\s/g)?.length ?? 0;
  const marks = value.match(/[^\w\s]/g)?.length ?? 0;
  if (blanks > 0 && (blanks > 3 || marks < 12)) return false;
  return marks >= 4 && /\d.*\d/.test(value) && /[A-Za-z].*[A-Za-z]/.test(value) && wordShare(value) < 0.3;
}

/** Tells whether capitalised or joined words have digits in place of letters: `0ctober_Rain`, `tr4inSpotting`. */
function isLeet(value: string): boolean {
  return (
    /^[a-z]{0,3}[013457][a-z]{2}|[A-Z_-][a-z]{0,3}[013457][a-z]{2}/.test(value) &&
    /[A-Z]/.test(value) &&
    isChosenName(value)
  );
}

export function isSpokenSecret(value: string): boolean {
  if (isJoinedAndNumbered(value) || isMarkedNumber(value) || (/^\d{16,24}$/.test(value) && !isRegular(value)))
    return true;
  if (/[a-z][A-Z].*\d\d|[a-z]-[A-Z].*\d/.test(value) && isChosenName(value)) return true;
  if (/[&+#!^~*$]|@[A-Z]/.test(value) && isCoupled(value)) return true;
  return value.length < 12 ? looksMixed(value) : looksRandom(value) || UUID.test(value);
}

/** Tells whether a value is chosen words and a number, but not a version or a class with a number. */
export function isChosenSecret(value: string): boolean {
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
export function isNumberedPhrase(value: string): boolean {
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

export function isSpokenPassword(value: string): boolean {
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

/** Tells whether a value is three words or more that are unusual in text about passwords. */
export function isLongPhrase(value: string): boolean {
  return /-.+-|_.+_.+_/.test(value) && isJoinedPhrase(value);
}

export function isPasswordSetting(value: string): boolean {
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
export function isOdd(value: string): boolean {
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

export function isPunctuated(value: string): boolean {
  return /[A-Za-z]/.test(value) && /\d/.test(value) && /[^\w\s.,'"-]/.test(value);
}

/**
 * Tells whether a value is five or more lower-case words, such as a line of a poem, with message words only if they are function
 * words.
 */
export function isLine(value: string): boolean {
  const words = value.split(" ");
  const long = words.filter((word) => !/^(?:the|a|an|of|in|on|and|over|under|to|with|at|by)$/.test(word));
  return words.length > 4 && long.length > 2 && /^[\p{Ll} ]+$/u.test(value) && isPhrase(long.join(" "));
}

/**
 * Tells whether a value is a random word or symbols among few words. In a sentence of plain words, such a word is found by its
 * own form.
 */
export function isTelling(value: string): boolean {
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
export function isSpelled(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return /^(?:[!-~] )+[!-~]$/.test(value) || /^(?:[0-9a-f]{2} )+[0-9a-f]{2}$/i.test(value);
}

/** Tells whether a value is four groups of four letters, as in app passwords. */
export function isAppPassword(value: string): boolean {
  return /^[a-z]{4}(?: [a-z]{4}){3}$/.test(value) && wordShare(value) < 0.8;
}
