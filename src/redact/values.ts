import {
  CALL_FIRST,
  DOTTED,
  EXPRESSION,
  isAddressOrPath,
  isCode,
  isDottedWords,
  isLabel,
  isName,
} from "./code.ts";
import { isLowerCase } from "./generated.ts";
import {
  isChosenName,
  isCoupled,
  isDottedPhrase,
  isMadeUp,
  isNumberedType,
  isNumberedWord,
  isPair,
  isPhrase,
  isQuality,
} from "./made-up.ts";
import { MAYBE, NO_SECRET, PASSWORD, SECRET, type Strength } from "./names.ts";
import {
  isAppPassword,
  isChosenSecret,
  isKeyboardMash,
  isLine,
  isLongPhrase,
  isMarkedWord,
  isNumberedPhrase,
  isOdd,
  isPasswordSetting,
  isPunctuated,
  isSpelled,
  isSpokenPassword,
  isSpokenSecret,
  isTelling,
  UUID,
} from "./password-forms.ts";
import { isRegular, looksMixed, looksRandom } from "./randomness.ts";
import { isPattern, isStandIn } from "./stand-ins.ts";

/**
 * The place of a value: quoted or bare in code, in a line of an environment or settings file, after a command's flag, after its
 * name in a sentence, or after its name and `is` or the like.
 */
export type Place = "quoted" | "code" | "setting" | "environment" | "flag" | "sentence" | "statement";

/** Tells whether a value is in a sentence. */
export function isSpoken(place: Place): boolean {
  return place === "sentence" || place === "statement";
}

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
