import { isDottedWords } from "./code.ts";
import { listedCharacters } from "./encoded.ts";
import { found, type Secret } from "./finder.ts";
import { isTelling } from "./generated.ts";
import { type Name, past, type Value } from "./literals.ts";
import {
  hasWordOfCode,
  isChosenName,
  isCoupled,
  isLooseLine,
  isMadeUp,
  isMessage,
  isNumberedWord,
} from "./made-up.ts";
import {
  isBenign,
  isCredential,
  isNameChar,
  isQuote,
  isTight,
  MAX_KEY,
  MAYBE,
  mayBeAssigned,
  meaningOf,
  type NameMeaning,
  NO_SECRET,
  NOTHING,
  nameBefore,
  nameEnd,
  OTHER,
  PASSWORD,
  SECRET,
  WORD,
  whatFollows,
  withAdjective,
} from "./names.ts";
import { announcedValue } from "./notation.ts";
import { isRegular, looksMixed } from "./randomness.ts";
import { isTellingOrCoupled } from "./rules.ts";
import { codeAt } from "./signs.ts";
import { isNearLogin } from "./unquoted.ts";
import { valueBefore } from "./value-before.ts";
import { isSecretValue, isSpoken, type Place } from "./values.ts";

const BACKSLASH = 92;
/** Maximum lines of a continued value. */
const MAX_LINES = 60;

/** The continuation of a quoted value after a backslash at the end of its line, up to the next backslash or the closing quote. */
const CONTINUED = /(?:\\|(?<=\\))\r?\n[ \t]{0,20}(?!-)[\w.~+/=:%!-]{4,4000}(?=\\?["'`]|\\\r?\n)/y;

/** Returns the end of a value that continues after backslashes at line ends. */
export function continuedEnd(text: string, end: number): number {
  if (codeAt(text, end) !== BACKSLASH && codeAt(text, end - 1) !== BACKSLASH) return end;
  return repeated(CONTINUED, text, end);
}

/** The next line of a folded YAML value: a single word of four to 4,000 characters. */
const FOLDED = /\r?\n[ \t]{1,40}[\w+/=.~-]{4,4000}(?=[ \t]*(?:\r?\n|$))/y;

/** Returns the end of a YAML value from the end of its first line: single words on lines with the same indent as the first. */
function blockEnd(text: string, start: number, end: number): number {
  const indent = start - text.lastIndexOf("\n", start) - 1;
  let last = end;
  for (let line = 0; line < MAX_LINES; line++) {
    FOLDED.lastIndex = last;
    const match = FOLDED.exec(text)?.[0];
    if (match === undefined || match.search(/[^\s]/) !== match.indexOf("\n") + 1 + indent) return last;
    last += match.length;
  }
  return last;
}

function repeated(pattern: RegExp, text: string, from: number): number {
  let last = from;
  for (let line = 0; line < MAX_LINES; line++) {
    pattern.lastIndex = last;
    if (!pattern.test(text)) return last;
    last = pattern.lastIndex;
  }
  return last;
}

const BASE64 = /[:=]\s{0,4}["']?([A-Za-z0-9+/]{20,2000}={0,2})(?![\w+/=.-])/y;

/** Returns the secret in an encoded URL with a password, as in a Kubernetes secret; `mark` precedes it. */
function encodedAddress(text: string, mark: number): Secret | null {
  return found(text, mark, BASE64, "password", (value) =>
    /^[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,100}:[^\s@]{3,300}@/i.test(
      Buffer.from(value, "base64").toString("latin1"),
    ),
  );
}

/** The rest of a function that returns one string: parameters, a type, and the body. */
const BODY =
  /\([^()\n]{0,80}\)(?:[^\n"'`;{}()=]|&'static){0,40}?\s{0,8}(?:\{\s{0,24}(?:return\s{1,4})?|:\s{0,24}return\s{1,4}|=>\s{0,4}|=\s{0,4})(?:[\w.[\]]{1,30}\(\s?)?[bBrRuf]?(?:"([^"\n]{6,300})"|'([^'\n]{6,300})'|`([^`\n]{6,300})`)/y;
/** The body of a Ruby method without parameters that returns one string. */
const METHOD = /\r?\n\s{1,16}["']([^"'\n]{6,300})["']\s{1,16}end\b/y;
/** A code block below a heading, with one word inside. */
const BLOCK = /[^\n.`]{0,20}\s{1,8}```\w{0,12}\r?\n[ \t]*(\S{6,300})[ \t]*\r?\n[ \t]*```/y;
/** Verbs before the name of a function's return value. */
const VERB = /^(?:get|fetch|load|read|make|build|default|make)_?(?=[A-Z_])/;

/** Returns the secret that a function returns, given the end of the function's name. */
function returnedSecret(text: string, name: { text: string; end: number }): Secret | null {
  const pattern = text[name.end] === "(" ? BODY : METHOD;
  const meaning = meaningOf(name.text.replace(VERB, ""));
  if (meaning.strength < SECRET) return null;
  const isReturned = (value: string) => isSecretValue(value, meaning.strength, "quoted");
  return found(text, name.end, pattern, meaning.kind, isReturned);
}

/** Returns the secret alone in a code block below the name that ends at an offset. */
function fencedSecret(text: string, name: string, end: number): Secret | null {
  const { strength, kind } = meaningOf(name);
  if (strength < SECRET) return null;
  return found(text, end, BLOCK, kind, (value) => isSecretValue(value, strength, "statement"));
}

const [SPACE, OPEN, COMMA, DASH] = [32, 40, 44, 45];
/** Characters of a value to judge: of one with blanks, and of one without. */
const [MAX_SENTENCE, MAX_WORD] = [300, 100];
/** Minimum length; a shorter value may be the first of a list of characters, or a word before one. */
const MIN_LISTED = 4;
/** The rest of a name after its word for a secret. */
const NAME_REST = /[\w-]{0,24}/y;

/** The end of the last value that was judged not to be a secret. */
export interface Rejected {
  until: number;
}

/** Returns the secret assigned to the name whose last word ends at `wordEnd`; null when there is none. */
export function namedSecret(text: string, wordEnd: number, rejected: Rejected): Secret | null {
  const end = isNameChar(codeAt(text, wordEnd)) ? past(NAME_REST, text, wordEnd) : wordEnd;
  const name = nameBefore(text, end);
  if (name === null) return null;
  const isCalled = codeAt(text, end) === OPEN;
  const follows = whatFollows(text, end);
  if (follows === NOTHING && isCalled) return returnedSecret(text, { text: name, end });
  // An assigned value follows its name, except for an attribute whose value is the name.
  const mayFollow = follows !== OTHER || codeAt(text, end) === COMMA || isQuote(codeAt(text, end));
  const before = mayFollow ? valueBefore(text, name, end - name.length) : null;
  if (before) return before;
  if (follows === NOTHING)
    return (
      returnedSecret(text, { text: name, end }) ??
      fencedSecret(text, withAdjective(name, text, end - name.length), end)
    );
  const behind = secretBehind(text, { text: name, start: end - name.length, end }, follows, rejected);
  return behind ?? (isCalled ? returnedSecret(text, { text: name, end }) : null);
}

function secretBehind(text: string, name: Name, follows: number, rejected: Rejected): Secret | null {
  const { start, end } = name;
  if (follows === WORD && !takesWords(name.text, codeAt(text, start - 1))) return null;
  const meaning = meaningOf(withAdjective(name.text, text, start));
  if (
    meaning.strength === NO_SECRET ||
    (follows !== OTHER && meaning.strength === MAYBE && !/^key$/i.test(name.text))
  )
    return null;
  if (start < rejected.until && isTight(text, end)) return null;
  if (isOfAnother(text, start)) return null;
  return announcedSecret(text, name, meaning, rejected);
}

const ARN = /\barn:[\w:/-]*$/;
const OF_IT =
  /\b(?:sha-?\d{0,3}|md5|hash|digest|checksum|fingerprint|integrity|etag|kid|jti|id|name|length|type|version) (?:of|for) (?:(?:the|this|that|a|an|my|our|your) )?(?:\w{1,16} )?$/i;

/** Tells whether a name is part of a service's id, or its value is a hash, an id or a type. */
function isOfAnother(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 80), start);
  if (codeAt(text, start - 1) === SPACE)
    return (
      (OF_WORD.test(before) && OF_IT.test(before)) ||
      (OF_PAIR.test(before) && FINGERPRINT.test(text.slice(start, start + 60)))
    );
  return ARN.test(before);
}

/** The fingerprint of a key of a pair: `using RSA key 0AB3…`. */
const OF_PAIR =
  /\b(?:rsa|dsa|eddsa|ecdsa|ed25519|ecdh|elgamal|cv25519|gpg|gnupg|pgp|openpgp|primary|signing|public|host|ssh)(?:\d{4}|-\d{4})? $/i;
const FINGERPRINT =
  /^keys?:? (?:0x)?(?:[\dA-F]{40}|(?:[\dA-F]{4} {1,2}){9}[\dA-F]{4}|(?:[\da-f]{2}:){15,31}[\da-f]{2})(?!\w)/;
const OF_WORD = / (?:of|for) [^.:=]{0,24}$/;

function announcedSecret(text: string, name: Name, meaning: NameMeaning, rejected: Rejected): Secret | null {
  const value = marked(text, announcedValue(name, text));
  const isShort = !value || value.end - value.start < MIN_LISTED;
  const list = isShort && meaning.strength >= SECRET ? listedCharacters(text, name.end) : null;
  if (list) return { ...list, kind: meaning.kind };
  // A value that contains other names is judged once, not again for each name.
  if (!value || (value.start < rejected.until && value.place !== "quoted")) return null;
  const found = judged(text, value);
  if (isCalled(text, value, found)) return null;
  if (isAssigned(text, found, { name, meaning, place: value.place })) {
    const { start, end, isBlock } = value;
    return { start, end: isBlock ? blockEnd(text, start, end) : continuedEnd(text, end), kind: meaning.kind };
  }
  const chosen = chosenIn(found, name.text, value.place);
  if (chosen !== null) return { start: value.start + chosen, end: value.end, kind: meaning.kind };
  if (meaning.strength !== MAYBE || !isSpoken(value.place)) reject(text, value, rejected);
  return null;
}

/** Extends a value in a sentence by an exclamation mark or the like that belongs to it: `CactusJuice!`. */
function marked(text: string, value: Value | null): Value | null {
  if (value === null || !isSpoken(value.place) || text[value.end] !== "!") return value;
  return isCoupled(text.slice(value.start, value.end + 1)) ? { ...value, end: value.end + 1 } : value;
}

/** The name and the place of a value. */
interface Told {
  name: Name;
  meaning: NameMeaning;
  place: Place;
}

function isAssigned(text: string, value: string, { name, meaning: { strength }, place }: Told): boolean {
  if (isSecretValue(value, strength, place) && !isChecksum(name.text, value)) return true;
  return strength === PASSWORD && place === "quoted" && isPlainly(value, name, text);
}

/** Tells whether words are a password because a login is beside them: `"user": "ada", "password": "Marmalade"`. */
function isPlainly(value: string, name: Name, text: string): boolean {
  if (/\s/.test(value))
    return isLooseLine(value) && (/pass_?phrase$/i.test(name.text) || isNearLogin(name, text));
  const isWord = /^[\p{L}_-]{5,40}$/u.test(value) && !isMessage(value);
  return isWord && isSecretValue(value, PASSWORD, "environment") && isNearLogin(name, text);
}

/**
 * Records the end of a value that is not a secret. The parameters of a URL may still contain a secret, so a URL does not end the
 * search.
 */
function reject(text: string, { start, end }: Value, rejected: Rejected): void {
  const holdsMore = /\s|;\s?\w+=|^\w+=|^\$\{\w+:|^[a-z]{2,12}:\/\//i.test(text.slice(start, end));
  rejected.until = holdsMore ? 0 : Math.min(end, start + MAX_WORD);
}

/** Tells whether an unquoted value is the name of a call. */
function isCalled(text: string, { place, end }: Value, value: string): boolean {
  return place === "code" && codeAt(text, end) === OPEN && /^[\w.$:]+$/.test(value);
}

/** A user before a password. */
const USER = /^(?=[\w.@+-]{0,60}[A-Za-z])[\w.@+-]{2,60}(?:[:/]| \/ )(?=[^\s:/]{6,100}$)/;

/** Returns the start of a made-up password in a value that is one, or a user with one; null without one. */
function chosenIn(value: string, name: string, place: Place): number | null {
  if (place === "code" || isSpoken(place)) return null;
  if (/(?:^|[_-])pin$/i.test(name)) return /^\d{4,8}$/.test(value) && !isRegular(value) ? 0 : null;
  if (isDottedWords(value) || !mayHoldPair(name)) return null;
  const start = USER.exec(value)?.[0].length ?? 0;
  const password = value.slice(start);
  if (/[%.:]/.test(password) && !/[A-Z].*\d/.test(password)) return null;
  return (start > 0 ? isOfUser(password) : isChosenFor(name, password)) ? start : null;
}

function isOfUser(password: string): boolean {
  return (
    isTellingOrCoupled(password) || (/\d/.test(password) && isSecretValue(password, PASSWORD, "setting"))
  );
}

/** Tells whether the value of a name may start with a user. */
function mayHoldPair(name: string): boolean {
  return isCredential(name) || /(?:pw|pass|password|passwd|pwd|secret)$/i.test(name);
}

/** Tells whether a password without a user is made up, and its name is not that of a login. */
function isChosenFor(name: string, password: string): boolean {
  if (/(?:password|passwd|pwd|secret)$/i.test(name)) return isTelling(password);
  if (/auth$/i.test(name) && isOfAuth(password)) return true;
  if (/creds?$/i.test(name) && (isTelling(password) || isCoupled(password))) return true;
  const isMarked = /[&+#!^~*$]/.test(password) && isCoupled(password);
  if (!isMarked && (!/\d\d|[!#$%&*]/.test(password) || !isChosenName(password))) return false;
  return /(?:auth|creds?)$/i.test(name) || (/^(?!.*LOGIN$)[A-Z_\d]+$/.test(name) && /[A-Z]/.test(password));
}

function isOfAuth(password: string): boolean {
  if (isNumberedWord(password) || looksMixed(password) || isCoupled(password)) return true;
  return /[a-z]{5}.*\d\d$/.test(password) && isMadeUp(password) && !hasWordOfCode(password);
}

/** Tells whether a value is the checksum of a package such as `AppAuth`, as in lock files. */
function isChecksum(name: string, value: string): boolean {
  return (
    /^[0-9a-f]{40}$/.test(value) &&
    /^[A-Z][A-Za-z]*[a-z][A-Z][A-Za-z]*$|^[A-Z]{2,}[a-z][A-Za-z]+$/.test(name) &&
    meaningOf(name).strength === MAYBE
  );
}

/** Tells whether any word after a name is its value, as in `--password x`, `PASSWORD x` and `requirepass x`. */
function takesWords(name: string, before: number): boolean {
  return (
    before === DASH || /^(?:[A-Z_]+|requirepass|masterauth|authtoken|rocommunity|rwcommunity)$/.test(name)
  );
}

/** Returns the start of a value, which is enough to judge it. A value with blanks may be a sentence, so more of it is needed. */
function judged(text: string, { start, end }: { start: number; end: number }): string {
  const value = text.slice(start, Math.min(end, start + MAX_SENTENCE));
  return value.length > MAX_WORD && !/\s/.test(value) ? value.slice(0, MAX_WORD) : value;
}

/** Finds a long random value that is assigned to a name without a word for a secret; null when there is none. */
export function assignedSecret(text: string, mark: number): Secret | null {
  if (!mayBeAssigned(text, mark)) return null;
  const end = nameEnd(text, mark);
  const name = nameBefore(text, end);
  if (name === null) return null;
  if (/ur[il]$/i.test(name)) return encodedAddress(text, mark);
  if (isBenign(withAdjective(name, text, end - name.length)) || meaningOf(name).strength >= SECRET)
    return null;
  const value = announcedValue({ text: name, start: end - name.length, end }, text);
  if (!value || isSpoken(value.place)) return null;
  const found = value.end - value.start > MAX_KEY ? "" : text.slice(value.start, value.end);
  return isSecretValue(found, NO_SECRET, value.place) ? { ...value, kind: "secret" } : null;
}
