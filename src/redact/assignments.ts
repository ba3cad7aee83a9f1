import { valueBefore, withAdjective } from "./before-name.ts";
import { BOTH_CASES, codeAt, DIGIT, wordSort } from "./classes.ts";
import { blockEnd, continuedEnd } from "./continued.ts";
import { encodedAddress } from "./encoded-address.ts";
import { isBenign, MAYBE, meaningOf, type NameMeaning, NO_SECRET, SECRET } from "./names.ts";
import { announcedValue } from "./notation.ts";
import { fencedSecret, returnedSecret } from "./returned.ts";
import type { Secret } from "./spans.ts";
import { listedCharacters } from "./spelled.ts";
import { isSecretValue, isSpoken } from "./values.ts";

const [DASH, COLON, EQUALS] = [45, 58, 61];
const [OPEN, COMMA, DOT, SPACE] = [40, 44, 46, 32];
/** Maximum length of a name. */
const MAX_NAME = 90;
/** How many characters of a value are judged: of one with blanks, and of one without. */
const [MAX_SENTENCE, MAX_WORD] = [300, 100];
/** A shorter value may be the first of a list of characters, or a word before one. */
const MIN_LISTED = 4;
/** The longest value that counts as a secret without a telling name. */
const MAX_KEY = 400;
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

function isQuote(code: number): boolean {
  return code === 34 || code === 39;
}

interface Name {
  text: string;
  start: number;
  end: number;
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
  if (codeAt(text, start - 1) === SPACE) return OF_WORD.test(before) && OF_IT.test(before);
  return ARN.test(before);
}

const OF_WORD = / (?:of|for) [^.:=]{0,24}$/;

function announcedSecret(text: string, name: Name, meaning: NameMeaning, rejected: Rejected): Secret | null {
  const value = announcedValue(name, text);
  const isShort = !value || value.end - value.start < MIN_LISTED;
  const list = isShort && meaning.strength >= SECRET ? listedCharacters(text, name.end) : null;
  if (list) return { ...list, kind: meaning.kind };
  // A value that contains other names is judged once, not again for each name.
  if (!value || (value.start < rejected.until && value.place !== "quoted")) return null;
  const found = judged(text, value);
  if (isSecretValue(found, meaning.strength, value.place) && !isChecksum(name.text, found)) {
    const { start, end, isBlock } = value;
    return { start, end: isBlock ? blockEnd(text, start, end) : continuedEnd(text, end), kind: meaning.kind };
  }
  if (meaning.strength === MAYBE && isSpoken(value.place)) return null;
  // An address may have a secret among its parameters.
  rejected.until = /\s|;\s?\w+=|^\w+=|^\$\{\w+:|^[a-z]{2,12}:\/\//i.test(text.slice(value.start, value.end))
    ? 0
    : Math.min(value.end, value.start + MAX_WORD);
  return null;
}

/** The hash of a package such as `AppAuth`, as lock files have it. */
function isChecksum(name: string, value: string): boolean {
  return (
    /^[0-9a-f]{40}$/.test(value) &&
    /^[A-Z][A-Za-z]*[a-z][A-Z][A-Za-z]*$|^[A-Z]{2,}[a-z][A-Za-z]+$/.test(name) &&
    meaningOf(name).strength === MAYBE
  );
}

function past(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Whether any word behind a name is its value, as in `--password x`, `PASSWORD x` and `requirepass x`. */
function takesWords(name: string, before: number): boolean {
  return (
    before === DASH || /^(?:[A-Z_]+|requirepass|masterauth|authtoken|rocommunity|rwcommunity)$/.test(name)
  );
}

/** Whether a value without quotes follows a name at once. */
function isTight(text: string, end: number): boolean {
  return codeAt(text, end) === EQUALS && isValueChar(codeAt(text, end + 1));
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
  if (isBenign(name) || meaningOf(name).strength >= SECRET) return null;
  const value = announcedValue({ text: name, start: end - name.length, end }, text);
  if (!value || isSpoken(value.place)) return null;
  const found = value.end - value.start > MAX_KEY ? "" : text.slice(value.start, value.end);
  return isSecretValue(found, NO_SECRET, value.place) ? { ...value, kind: "secret" } : null;
}

/** A quick check: at least twenty characters of a value follow the mark, after blanks and quotes. */
export function mayBeAssigned(text: string, mark: number): boolean {
  const limit = Math.min(mark + 9, text.length - 20);
  let at = mark + 1;
  if (at > limit || (text.charCodeAt(mark) === COLON && !isFiller(text.charCodeAt(at)))) return false;
  while (at < limit && isFiller(text.charCodeAt(at))) at++;
  const end = at + 20;
  while (at < end && isValueChar(text.charCodeAt(at))) at++;
  return at === end && !isPlainWord(text, end - 20);
}

/** A quick check: a word that ends its line or literal, and has too few kinds of characters for a key. */
function isPlainWord(text: string, from: number): boolean {
  const limit = Math.min(from + MAX_KEY, text.length);
  let at = from;
  let seen = 0;
  for (; at < limit && (isValueChar(text.charCodeAt(at)) || text[at] === "="); at++)
    seen |= wordSort(text.charCodeAt(at));
  const isMixed = (seen & BOTH_CASES) === BOTH_CASES && (seen & DIGIT) !== 0;
  return !isMixed && isEnd(codeAt(text, at));
}

const FILLERS = charTable(" \t\"'\\`=>[");
const VALUE_CHARS = charTable("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789$-._+/~");

function charTable(chars: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const char of chars) table[char.charCodeAt(0)] = 1;
  return table;
}

/** What separates a name from its value, or starts the value. */
const OPERATORS = charTable("=:?|+->[</{&~!");
/** What starts a string literal or the word `value`. */
const ARGUMENTS = charTable("\"'`\\bBrRuU@vVdsS{-");
const ENDS = charTable("\0\n\r\"'`,;)]}");

function isEnd(code: number): boolean {
  return code < 128 && ENDS[code] === 1;
}

/** Blanks, quotes, backslashes, `=`, `>`. */
function isFiller(code: number): boolean {
  return code < 128 && FILLERS[code] === 1;
}

/** Letters and digits, `$`, `+`, `-`, `.`, `/`, `_`, `~`. */
function isValueChar(code: number): boolean {
  return code < 128 ? VALUE_CHARS[code] === 1 : code >= 192;
}

const NEXT_VALUE =
  /^(?:\s+#[^\n]{0,40}\n)?\s+\\*["'`]?(?:parameter)?(?:value|val|default|string_value)\b|^\s+- ["'`]?[^\s-]/i;

/**
 * What follows a name: no value, a word of a sentence, words that may lead to a value or be one, or
 * anything else.
 */
const [NOTHING, WORD, PHRASE, OTHER] = [0, 1, 2, 3];

/** A quick check of what follows a name and the quotes or brackets that close after it. */
function whatFollows(text: string, end: number): number {
  let at = end;
  while (at - end < 4 && isCloser(codeAt(text, at)) && !isBlank(codeAt(text, at))) at++;
  const code = codeAt(text, at);
  if (code === 10 || code === 13) return NEXT_VALUE.test(text.slice(at, at + 60)) ? OTHER : NOTHING;
  if (isBlank(code)) return wordsBehind(text, at);
  if (code === COMMA || code === OPEN) return isArgument(text, at + 1) ? OTHER : NOTHING;
  return code > 127 || OPERATORS[code] === 1 ? OTHER : NOTHING;
}

function wordsBehind(text: string, from: number): number {
  let at = from;
  while (isBlank(codeAt(text, at))) at++;
  const start = at;
  while (at - start < 40 && (wordSort(codeAt(text, at)) & BOTH_CASES) !== 0) at++;
  const length = at - start;
  if (length === 0) return OTHER;
  const code = codeAt(text, at);
  if ((code !== 32 && !isWordEnd(text, at, code)) || isAssigned(text, at + 1)) return OTHER;
  return length >= 12 || LINKS.has(text.slice(start, at)) ? PHRASE : WORD;
}

/** A quick check: `=` or `:=` stands behind the type of a name. */
function isAssigned(text: string, at: number): boolean {
  const code = codeAt(text, at);
  return code === EQUALS || (code === COLON && codeAt(text, at + 1) === EQUALS);
}

/** True for a mark that ends a word of a sentence and is not part of a value. */
function isWordEnd(text: string, at: number, code: number): boolean {
  return code === 0 || ((code === COMMA || code === DOT) && codeAt(text, at + 1) <= 32);
}

/** A quick check: a string literal or a named value may follow `(` or `,`. */
function isArgument(text: string, from: number): boolean {
  let at = from;
  while (at - from < 20 && codeAt(text, at) <= 32 && codeAt(text, at) > 0) at++;
  return ARGUMENTS[codeAt(text, at)] === 1;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** Words between a name and its value, or the first of several: see `OPERATOR`. */
const LINKS = new Set(
  "use enter try take as CONSTANT constant is ist est es e er je este was war era are to be or set should must equals lautet for of on at von zu de del du do della per you we I they that which heißt c'est".split(
    " ",
  ),
);

/** Where the name before a mark ends: blanks, quotes, `]` and backslashes may stand between. */
function nameEnd(text: string, mark: number): number {
  const limit = Math.max(0, mark - 24);
  let end = mark;
  while (end > limit && isCloser(text.charCodeAt(end - 1))) end--;
  return end;
}

const CLOSERS = charTable(" \t\"'`])*\\%");

function isCloser(code: number): boolean {
  return code < 128 && CLOSERS[code] === 1;
}

/** The name that ends at a place. */
export function nameBefore(text: string, end: number): string | null {
  let start = end;
  const limit = Math.max(0, end - MAX_NAME);
  while (start > limit && isNameChar(text.charCodeAt(start - 1))) start--;
  while (start < end && !isNameStart(text.charCodeAt(start))) start++;
  return start < end ? text.slice(start, end) : null;
}

function isNameStart(code: number): boolean {
  const letter = code | 32;
  return (letter >= 97 && letter <= 122) || code === 36 || code === 95 || code >= 192;
}

/** Letters and digits, `$`, `-`, `.` and `_`. */
function isNameChar(code: number): boolean {
  return isNameStart(code) || (code >= 48 && code <= 57) || code === 45 || code === 46;
}
