import { isDottedWords } from "./code.ts";
import { listedCharacters } from "./encoded.ts";
import type { Secret } from "./finder.ts";
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
/** The most lines that a value goes on for. */
const MAX_LINES = 60;

/** The rest of a value in quotes behind a backslash at the end of its line, up to the next one or the closing quote. */
const CONTINUED = /(?:\\|(?<=\\))\r?\n[ \t]{0,20}(?!-)[\w.~+/=:%!-]{4,4000}(?=\\?["'`]|\\\r?\n)/y;

/** Returns where a value ends that goes on behind backslashes at the ends of its lines. */
export function continuedEnd(text: string, end: number): number {
  if (codeAt(text, end) !== BACKSLASH && codeAt(text, end - 1) !== BACKSLASH) return end;
  return repeated(CONTINUED, text, end);
}

/** The next line of a value of YAML, a word as long as part of a key. */
const FOLDED = /\r?\n[ \t]{1,40}[\w+/=.~-]{4,4000}(?=[ \t]*(?:\r?\n|$))/y;

/** Returns where a value of YAML ends whose first line ends at a place: words alone on lines that are indented like the first. */
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

/** An address with a password that is encoded, as in the data of a secret of Kubernetes; `mark` precedes it. */
function encodedAddress(text: string, mark: number): Secret | null {
  BASE64.lastIndex = mark;
  const value = BASE64.exec(text)?.[1];
  if (value === undefined) return null;
  const isAddress = /^[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,100}:[^\s@]{3,300}@/i.test(plainOf(value));
  const end = BASE64.lastIndex;
  return isAddress ? { start: end - value.length, end, kind: "password" } : null;
}

function plainOf(base64: string): string {
  return Buffer.from(base64, "base64").toString("latin1");
}

/** What a function of such a name returns at once: parameters, a type, and a body that is one string. */
const BODY =
  /\([^()\n]{0,80}\)(?:[^\n"'`;{}()=]|&'static){0,40}?\s{0,8}(?:\{\s{0,24}(?:return\s{1,4})?|:\s{0,24}return\s{1,4}|=>\s{0,4}|=\s{0,4})(?:[\w.[\]]{1,30}\(\s?)?[bBrRuf]?(?:"([^"\n]{6,300})"|'([^'\n]{6,300})'|`([^`\n]{6,300})`)/y;
/** Ruby's method without parameters. */
const METHOD = /\r?\n\s{1,16}["']([^"'\n]{6,300})["']\s{1,16}end\b/y;
/** A block of code below a heading that holds one word. */
const BLOCK = /[^\n.`]{0,20}\s{1,8}```\w{0,12}\r?\n[ \t]*(\S{6,300})[ \t]*\r?\n[ \t]*```/y;
/** Words before what a function returns. */
const VERB = /^(?:get|fetch|load|read|make|build|default|make)_?(?=[A-Z_])/;

/** The secret that a function returns whose name ends at a place. */
function returnedSecret(text: string, name: { text: string; end: number }): Secret | null {
  const pattern = text[name.end] === "(" ? BODY : METHOD;
  const meaning = meaningOf(name.text.replace(VERB, ""));
  if (meaning.strength < SECRET) return null;
  pattern.lastIndex = name.end;
  const match = pattern.exec(text);
  const value = match?.[1] ?? match?.[2] ?? match?.[3];
  if (value === undefined || !isSecretValue(value, meaning.strength, "quoted")) return null;
  const start = pattern.lastIndex - (match?.[0].length ?? 0) + (match?.[0].lastIndexOf(value) ?? 0);
  return { start, end: start + value.length, kind: meaning.kind };
}

/** The secret that stands alone in a block of code below the name that ends at a place. */
function fencedSecret(text: string, name: string, end: number): Secret | null {
  const { strength, kind } = meaningOf(name);
  if (strength < SECRET) return null;
  BLOCK.lastIndex = end;
  const value = BLOCK.exec(text)?.[1];
  if (value === undefined || !isSecretValue(value, strength, "statement")) return null;
  const start = text.lastIndexOf(value, BLOCK.lastIndex);
  return { start, end: start + value.length, kind };
}

const [SPACE, OPEN, COMMA, DASH] = [32, 40, 44, 45];
/** How many characters of a value are judged: of one with blanks, and of one without. */
const [MAX_SENTENCE, MAX_WORD] = [300, 100];
/** A shorter value may be the first of a list of characters, or a word before one. */
const MIN_LISTED = 4;
/** What may follow the word for a secret within a name. */
const NAME_REST = /[\w-]{0,24}/y;

/** The end of the last value that was judged and is no secret. */
export interface Rejected {
  until: number;
}

/** Returns the secret that is assigned to the name whose last word ends at `wordEnd`; null when there is none. */
export function namedSecret(text: string, wordEnd: number, rejected: Rejected): Secret | null {
  const end = isNameChar(codeAt(text, wordEnd)) ? past(NAME_REST, text, wordEnd) : wordEnd;
  const name = nameBefore(text, end);
  if (name === null) return null;
  const isCalled = codeAt(text, end) === OPEN;
  const follows = whatFollows(text, end);
  if (follows === NOTHING && isCalled) return returnedSecret(text, { text: name, end });
  // What is assigned to a name stands behind it, but for an attribute whose value is the name.
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

/** Whether a name is a part of an id of a service, or a value belongs to it that is its hash, id or type. */
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

/** A value in a sentence with the mark at its end that is a part of it: `CactusJuice!`. */
function marked(text: string, value: Value | null): Value | null {
  if (value === null || !isSpoken(value.place) || text[value.end] !== "!") return value;
  return isCoupled(text.slice(value.start, value.end + 1)) ? { ...value, end: value.end + 1 } : value;
}

/** What is known of a value by its name and its place. */
interface Told {
  name: Name;
  meaning: NameMeaning;
  place: Place;
}

function isAssigned(text: string, value: string, { name, meaning: { strength }, place }: Told): boolean {
  if (isSecretValue(value, strength, place) && !isChecksum(name.text, value)) return true;
  return strength === PASSWORD && place === "quoted" && isPlainly(value, name, text);
}

/** A word or a line of words that is a password where a login stands beside it: `"user": "ada", "password": "Marmalade"`. */
function isPlainly(value: string, name: Name, text: string): boolean {
  if (/\s/.test(value))
    return isLooseLine(value) && (/pass_?phrase$/i.test(name.text) || isNearLogin(name, text));
  const isWord = /^[\p{L}_-]{5,40}$/u.test(value) && !isMessage(value);
  return isWord && isSecretValue(value, PASSWORD, "environment") && isNearLogin(name, text);
}

/** Notes where a value ends that is no secret. An address may have one among its parameters. */
function reject(text: string, { start, end }: Value, rejected: Rejected): void {
  const holdsMore = /\s|;\s?\w+=|^\w+=|^\$\{\w+:|^[a-z]{2,12}:\/\//i.test(text.slice(start, end));
  rejected.until = holdsMore ? 0 : Math.min(end, start + MAX_WORD);
}

/** Whether a value without quotes is the name of what is called. */
function isCalled(text: string, { place, end }: Value, value: string): boolean {
  return place === "code" && codeAt(text, end) === OPEN && /^[\w.$:]+$/.test(value);
}

/** A user before a password. */
const USER = /^(?=[\w.@+-]{0,60}[A-Za-z])[\w.@+-]{2,60}(?:[:/]| \/ )(?=[^\s:/]{6,100}$)/;

/** Where a password starts that people make up, in a value that is one or a user with one; null when there is none. */
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
  return isTellingOrCoupled(password) || (isMadeUp(password) && /-.*-/.test(password));
}

/** Whether a user may stand before the value of a name. */
function mayHoldPair(name: string): boolean {
  return isCredential(name) || /(?:pw|pass|password|passwd|pwd|secret)$/i.test(name);
}

/** Whether a password without a user is one that people make up, and its name that of no login. */
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

/** The hash of a package such as `AppAuth`, as lock files have it. */
function isChecksum(name: string, value: string): boolean {
  return (
    /^[0-9a-f]{40}$/.test(value) &&
    /^[A-Z][A-Za-z]*[a-z][A-Z][A-Za-z]*$|^[A-Z]{2,}[a-z][A-Za-z]+$/.test(name) &&
    meaningOf(name).strength === MAYBE
  );
}

/** Whether any word behind a name is its value, as in `--password x`, `PASSWORD x` and `requirepass x`. */
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

/** Finds a long random value that is assigned to a name which does not say that it is a secret; null when there is none. */
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
