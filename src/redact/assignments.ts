import { BOTH_CASES, codeAt, DIGIT, wordSort } from "./classes.ts";
import { listedCharacters } from "./encoded.ts";
import type { Secret } from "./finder.ts";
import { isBenign, MAYBE, meaningOf, type NameMeaning, NO_SECRET, SECRET } from "./names.ts";
import { announcedValue } from "./notation.ts";
import { looksMixed } from "./randomness.ts";
import { isSecretValue, isSpoken } from "./values.ts";

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

const [NEW_LINE, SPACE, OPEN, COLON, EQUALS] = [10, 32, 40, 58, 61];
const [DOUBLE_QUOTE, SINGLE_QUOTE] = [34, 39];

/** A pair whose value stands before its name: `value: x, name: NAME`, and `set value = 'x' where name = 'NAME`. */
const PAIR_BEFORE =
  /(?:(?:value|Value)["']?\s{0,4}[:=]\s{0,4}["']?([^\s"',{}]{5,300})["']?\s{0,4},?\s{0,40}["']?(?:name|key|Name|Key)["']?\s{0,4}[:=]\s{0,4}["']?|set\s+\w{1,20}\s{0,4}=\s{0,4}N?'([^'\n]{4,300})'\s+where\s+[\w."]{1,40}\s{0,4}=\s{0,4}["'])$/i;
/** The same in a call: `set("…", forKey: "token")`, `Field(default="…", alias="password")`. */
const CALLED =
  /(?:\(|default\s?=)\s{0,4}["']([^"'\n]{5,300})["']\s{0,4},\s{0,4}(?:forKey|key|name|alias|account|service)\s?[:=]\s{0,4}["']$/;
const MAX_PAIR = 420;

function pairBefore(text: string, nameStart: number): { start: number; end: number } | null {
  if (!isAnnounced(text, nameStart)) return null;
  const from = Math.max(0, nameStart - MAX_PAIR);
  const before = text.slice(from, nameStart);
  const pair = PAIR_BEFORE.exec(before);
  const match = pair ?? CALLED.exec(before);
  const value = match?.[1] ?? match?.[2];
  if (match === null || value === undefined) return null;
  // The words before a value may be in it.
  const lead = pair === null ? 1 : match[1] === undefined ? 4 : 5;
  const start = from + match.index + match[0].indexOf(value, lead);
  return { start, end: start + value.length };
}

/** A quick check: a quote, or `:` or `=`, stands before a name. */
function isAnnounced(text: string, nameStart: number): boolean {
  const last = codeAt(text, nameStart - 1);
  if (last === DOUBLE_QUOTE || last === SINGLE_QUOTE || last === COLON || last === EQUALS) return true;
  const before = last <= SPACE ? codeAt(text, nameStart - 2) : 0;
  return before === COLON || before === EQUALS;
}

/** What leads from a value to its name in a sentence, as in `… is the password` or `use … as my token`. */
const LEADS =
  / (?:(?:(?:is|was|(?:should|must|will) be|for|ist|war|est|es|era|è|é) (?:the|my|our|your|its|a|das|mein|dein|unser|le|la|mon|el|mi|il|o|minha|meu|het|mijn|[\w-]{1,20}['’]s)|(?:is what (?:I|we) use )?(?:as|als|comme|como|come)(?: (?:the|my|our|your|its|a))?)|\((?:(?:that['’]s|this is|it['’]s) )?(?:the|my|our)) (?:[\w'’-]{1,20} ){0,2}$/;
/** A quick check: one of the words of `LEADS`. */
const LEAD_WORD = / (?:is|was|be|for|ist|war|est|es|era|è|é|as|als|comme|como|come|\()/;
const IS_AS = /^ (?:as|als|comme|como|come) $/;
const VALUE_END = /(?:^|[\s"'`(])([^\s"'`(]{6,200})["'`]?$/;
/** A line that starts with a value, and a mark before what it is: `…  <- root password`, `… # deploy token`. */
const NOTED =
  /(?:^|\n)[ \t>*•-]{0,8}["'`]?([^\s"'`(){};,<>]{6,200})["'`]?[ \t]{1,8}(?:<-{1,3}|←|<=|[—–#]|\/\/|--|\()[ \t]?(?:[\w'’.-]{1,20} ){0,4}$/;
/** What an assignment is for, in a comment behind it: `p = "…"; // db password`. */
const COMMENTED =
  /[=:(,\s]\s{0,4}["'`]([^"'`\n]{6,200})["'`][;,)}\]]{0,4}[ \t]{1,8}(?:\/\/|#|--|\/\*)[ \t]?(?:[\w'’.-]{1,20} ){0,4}$/;
const MAX_NOTED = 290;

/** The value before its name, in a pair or a sentence. */
function valueBefore(text: string, name: string, nameStart: number): Secret | null {
  const full = withAdjective(name, text, nameStart);
  const { strength, kind } = meaningOf(full);
  if (strength < SECRET) return null;
  const pair = pairBefore(text, nameStart);
  if (pair && isSecretValue(text.slice(pair.start, pair.end), strength, "quoted")) return { ...pair, kind };
  const from = nameStart - (full.length - name.length);
  if (codeAt(text, from - 1) !== SPACE && codeAt(text, from - 1) !== OPEN) return null;
  const value = leadingValue(text, name, from) ?? notedValue(text, from);
  if (value === null || !isSecretValue(text.slice(value.start, value.end), strength, "statement"))
    return null;
  return { ...value, kind };
}

function leadingValue(text: string, name: string, nameStart: number): { start: number; end: number } | null {
  const words = text.slice(Math.max(0, nameStart - 64), nameStart);
  const leads = LEAD_WORD.test(words) ? LEADS.exec(words)?.[0] : undefined;
  // Code says `X as YPassword`.
  if (leads === undefined || (IS_AS.test(leads) && !/^[A-Za-z][a-z]+$/.test(name))) return null;
  return valueUpTo(text, nameStart - leads.length);
}

function valueUpTo(text: string, from: number): { start: number; end: number } | null {
  const value = VALUE_END.exec(text.slice(Math.max(0, from - 206), from))?.[1];
  if (value === undefined) return null;
  const start = text.lastIndexOf(value, from);
  const named = VARIABLE.exec(value)?.[0].length ?? 0;
  return { start: start + named, end: start + value.length };
}

/** The variable that the value is given to, as in `NPM_TOKEN=… for the repo secrets`: it is no part of the value. */
const VARIABLE = /^[A-Z][A-Z0-9]{0,30}_[A-Z0-9_]{1,30}=(?=[^=])/;

/** What leads to a word of another language behind a value: `… это пароль`, `…がパスワードです`. */
const SPOKEN_LEADS =
  /(?: (?:es|est|è|é|is|to|это|[—–-] это|[—–-]) (?:(?:la|el|mi|o|a|moje|мой|mot de) )?| (?:como|jako|как|als|comme) | ?(?:が|は|是|가|이) ?)$/u;

/** The value before a word for a password which starts at a place. */
export function spokenBefore(text: string, wordStart: number): { start: number; end: number } | null {
  const leads = SPOKEN_LEADS.exec(text.slice(Math.max(0, wordStart - 16), wordStart))?.[0];
  return leads === undefined ? null : valueUpTo(text, wordStart - leads.length);
}

/** A value at the start of its line. The hash of a commit may stand there too. */
function notedValue(text: string, nameStart: number): { start: number; end: number } | null {
  if (!mayBeNoted(text, nameStart)) return null;
  const before = text.slice(Math.max(0, nameStart - MAX_NOTED), nameStart);
  const match = NOTED.exec(before) ?? COMMENTED.exec(before);
  const value = match?.[1];
  if (match === null || value === undefined || !(looksMixed(value) || isPunctuated(value))) return null;
  const start = nameStart - before.length + match.index + match[0].indexOf(value);
  return { start, end: start + value.length };
}

/** What separates a value from what it is. */
const NOTE_MARKS = new Set(Array.from("<←—–#/-(*", (mark) => mark.charCodeAt(0)));
/** The most words between such a mark and the name, and the most characters. */
const [MAX_WORDS, MAX_CHARS] = [5, 90];

/** A quick check: such a mark precedes a name on its line. */
function mayBeNoted(text: string, nameStart: number): boolean {
  let blanks = 0;
  for (let at = nameStart - 1; at > nameStart - MAX_CHARS && blanks <= MAX_WORDS; at--) {
    const code = codeAt(text, at);
    if (code === 0 || code === NEW_LINE) return false;
    if (code === SPACE) blanks++;
    else if (NOTE_MARKS.has(code)) return true;
  }
  return false;
}

function isPunctuated(value: string): boolean {
  return /\d/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value) && /[^\w./:-]/.test(value);
}

/** `API key`, `access key` and `Secret ID` are names of two words. */
function withAdjective(name: string, text: string, start: number): string {
  if (name.length !== 3 && name !== "ID") return name;
  const word = /([A-Za-z]{2,20})[ -]$/.exec(text.slice(Math.max(0, start - 24), start))?.[1];
  return word === undefined ? name : `${word}_${name}`;
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

const [DASH, COMMA, DOT] = [45, 44, 46];
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
