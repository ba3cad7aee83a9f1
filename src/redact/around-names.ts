/** What stands around a name: where it starts and ends, and quick checks of what follows. They run for every name of a text. */
import { BOTH_CASES, codeAt, DIGIT, wordSort } from "./classes.ts";

const [OPEN, COMMA, DOT, COLON, EQUALS] = [40, 44, 46, 58, 61];
/** Maximum length of a name. */
const MAX_NAME = 90;
/** The longest value that counts as a secret without a telling name. */
export const MAX_KEY = 400;

const NEXT_VALUE =
  /^(?:\s+#[^\n]{0,40}\n)?\s+\\{0,15}["'`]?(?:parameter)?(?:value|val|default|string_value)\b|^\s+- ["'`]?[^\s-]/i;

/**
 * What follows a name: no value, a word of a sentence, words that may lead to a value or be one, or
 * anything else.
 */
export const [NOTHING, WORD, PHRASE, OTHER] = [0, 1, 2, 3];

/** A quick check of what follows a name and the quotes or brackets that close after it. */
export function whatFollows(text: string, end: number): number {
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

/** Returns where the name before a mark ends: blanks, quotes, `]` and backslashes may stand between. */
export function nameEnd(text: string, mark: number): number {
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
export function isNameChar(code: number): boolean {
  return isNameStart(code) || (code >= 48 && code <= 57) || code === 45 || code === 46;
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

/** Returns whether a value without quotes follows a name at once. */
export function isTight(text: string, end: number): boolean {
  return codeAt(text, end) === EQUALS && isValueChar(codeAt(text, end + 1));
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

export function isQuote(code: number): boolean {
  return code === 34 || code === 39;
}
