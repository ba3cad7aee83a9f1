import { type Finder, finder, firstGroup, type Secret } from "./finder.ts";
import { isStrong } from "./generated.ts";
import { isMadeUp } from "./made-up.ts";
import { PASSWORD } from "./names.ts";
import { looksMixed, looksRandom } from "./randomness.ts";
import { codeAt, isDigit } from "./signs.ts";
import { isStandIn } from "./stand-ins.ts";
import { isSecretValue } from "./values.ts";

/** A text without escapes and colours. */
export interface Decoded {
  text: string;
  /** Returns the original range of the characters from `start` to `end`. */
  source(start: number, end: number): { start: number; end: number };
}

/** Terminal colours, real and written out; escapes of JSON and other languages; percent-encoding; entities. */
const ESCAPE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /(?:\x1b|\^\[|\\+(?:x1b|u001b|033|e))?\[\d{0,3}(?:;\d{1,3}){0,5}[mK]|\\+(?:u\{?00([0-9a-fA-F]{2})\}?|x([0-9a-fA-F]{2})|(\r?\n)|([nrtbfv0"'`/\\&=:]))|(?:%(?:25){0,2}([2-7][0-9a-fA-F]|0[aAdD]))|&(?:(quot|apos|amp|lt|gt)|#(\d{2,3})|#x([0-9a-fA-F]{2}));|[\u200b-\u200d\u2060\ufeff\u00ad]/g;
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: "&", lt: "<", gt: ">" };
const CONTROLS: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "",
  f: "",
  v: "",
  "0": "",
};

/** Context around an escape. Text farther away was searched unchanged. */
const MARGIN = 1_500;

/**
 * Decodes a text's escapes, in pieces: leaves out long runs of lines without escapes, except beside one. Nested escapes, as in
 * JSON within JSON, count as one. `colour` replaces colours, which may separate words or be inside one.
 */
export function decoded(text: string, colour = ""): Decoded[] {
  const pieces: Decoded[] = [];
  let parts: Part[] = [];
  let from = 0;
  ESCAPE.lastIndex = 0;
  for (let match = ESCAPE.exec(text); match; match = ESCAPE.exec(text)) {
    const gap = text.slice(from, match.index);
    const next = gap.lastIndexOf("\n", gap.length - MARGIN) + 1;
    const last = parts.length === 0 ? 0 : gap.indexOf("\n", MARGIN);
    const isLong = last >= 0 && last < next;
    if (isLong && parts.length > 0) {
      parts.push(plain(gap.slice(0, last), from));
      pieces.push(assembled(parts));
      parts = [];
    }
    parts.push(isLong ? plain(gap.slice(next), from + next) : plain(gap, from));
    from = ESCAPE.lastIndex;
    parts.push({ text: meaning(match, colour), start: match.index, end: from });
  }
  if (parts.length === 0) return pieces;
  const rest = text.slice(from);
  const last = rest.indexOf("\n", MARGIN);
  parts.push(plain(last < 0 ? rest : rest.slice(0, last), from));
  return [...pieces, assembled(parts)];
}

/** Quotation marks at the start of a line. */
const QUOTE_MARKS = /^(?:[ \t]{0,8}>[ \t]?){1,4}/gm;

/** A letter with combining accents. */
const ACCENTED = /[A-Za-z][\u0300-\u036f]{1,3}/g;
export const ACCENTS: readonly number[] = Array.from({ length: 112 }, (_, i) => 0x300 + i);

/** Returns a text without the quotation marks at its line starts. */
export function withoutQuotes(text: string): Decoded {
  return replaced(text, QUOTE_MARKS, () => "");
}

/** Returns a text in which letters and combining accents are composed. */
export function composed(text: string): Decoded {
  return replaced(text, ACCENTED, (letter) => letter.normalize("NFC"));
}

function replaced(text: string, pattern: RegExp, meaning: (whole: string) => string): Decoded {
  const parts: Part[] = [];
  let from = 0;
  for (const { 0: whole, index } of text.matchAll(pattern)) {
    const end = index + whole.length;
    parts.push(plain(text.slice(from, index), from), { text: meaning(whole), start: index, end });
    from = end;
  }
  return assembled([...parts, plain(text.slice(from), from)]);
}

function plain(text: string, start: number): Part {
  return { text, start, end: -1 };
}

/** Tells whether a text has colours, so that it is worth reading both with and without them. */
export function isColoured(text: string): boolean {
  return text.includes("[") && /\[\d{0,3}(?:;\d{1,3}){0,5}[mK]/.test(text);
}

const [ESC, PERCENT, AMPERSAND, BRACKET, BACKSLASH] = [27, 37, 38, 91, 92];
/** Soft hyphens and zero-width characters. */
export const INVISIBLE: readonly number[] = [0xad, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff];
const PERCENT_CODE = /%(?:25){0,2}(?:[2-7][0-9a-fA-F]|0[aAdD])/y;
const ENTITY = /&(?:quot|apos|amp|lt|gt|#\w{2,3});/y;
const BARE_COLOUR = /\[\d{1,3}(?:;\d{1,3})*m/y;

/** Tells whether an escape starts, or may start, at an offset. */
export function startsEscape(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  switch (code) {
    case BACKSLASH:
    case ESC:
      return true;
    case PERCENT:
      return isDigit(codeAt(text, at + 1)) && standsAt(PERCENT_CODE, text, at);
    case BRACKET:
      return isDigit(codeAt(text, at + 1)) && standsAt(BARE_COLOUR, text, at);
    case AMPERSAND:
      return codeAt(text, at + 1) > 32 && standsAt(ENTITY, text, at);
    default:
      return INVISIBLE.includes(code);
  }
}

function standsAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function meaning(match: RegExpExecArray, colour: string): string {
  const [whole, unicode, hex, line, simple, percent, entity, decimal, entityHex] = match;
  if (/\[[\d;]*[mK]$/.test(whole)) return colour;
  const code = unicode ?? hex ?? percent ?? entityHex;
  if (code !== undefined) return printable(Number.parseInt(code, 16));
  if (decimal !== undefined) return printable(Number(decimal));
  if (entity !== undefined) return ENTITIES[entity] ?? "";
  if (line !== undefined) return " ";
  return simple === undefined ? "" : (CONTROLS[simple] ?? simple);
}

function printable(code: number): string {
  return code === 10 || code === 13 ? "\n" : code >= 32 && code < 127 ? String.fromCharCode(code) : "";
}

/** A piece of a decoded text with its origin; `end` is -1 for a copied piece. */
interface Part {
  text: string;
  start: number;
  end: number;
}

function assembled(parts: readonly Part[]): Decoded {
  const starts = new Uint32Array(parts.length);
  let length = 0;
  for (const [i, part] of parts.entries()) {
    starts[i] = length;
    length += part.text.length;
  }
  const sourceOf = (at: number): [start: number, end: number] => {
    const i = lastNotBehind(starts, at);
    const part = parts[i];
    if (!part) return [0, 0];
    const start = part.start + at - (starts[i] ?? 0);
    return part.end < 0 ? [start, start + 1] : [part.start, part.end];
  };
  return {
    text: parts.map(({ text }) => text).join(""),
    source: (start, end) => ({ start: sourceOf(start)[0], end: sourceOf(end - 1)[1] }),
  };
}

/** Returns the index of the last number that is not greater than `at`; numbers are sorted. */
function lastNotBehind(numbers: Uint32Array, at: number): number {
  let [low, high] = [0, numbers.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return low;
}

/** Maximum distance of an encoded word from the name of its encoding on the line. */
const [BACK, AHEAD] = [160, 160];
const MAX_PLAIN = 100;

/** Tells whether a text can only be a password, or a user with one. */
function isPassword(plain: string): boolean {
  if (plain.length < 8 || plain.length > MAX_PLAIN || !/^[!-~]+$/.test(plain) || isStandIn(plain))
    return false;
  if (isStrong(plain) || isMadeUp(plain)) return true;
  const pair = /^[\w.@-]{2,40}:([^\s/:]{8,60})$/.exec(plain)?.[1];
  return pair === undefined ? /^[\w!-/?@^~]{10,64}$/.test(plain) && looksMixed(plain) : isPassword(pair);
}

/** Returns a finder for a word beside the name of an encoding that decodes to a password. */
function encodedAs(words: readonly string[], encoded: RegExp, encoding: "base64" | "hex"): Finder {
  const find = (text: string, at: number): Secret | null => {
    const from = Math.max(0, text.lastIndexOf("\n", at - 1) + 1, at - BACK);
    const line = /^[^\n]*/.exec(text.slice(from, at + AHEAD))?.[0] ?? "";
    for (const match of line.matchAll(encoded)) {
      const plain = Buffer.from(match[0], encoding).toString("latin1").trim();
      const start = from + match.index;
      if (isPassword(plain)) return { start, end: start + match[0].length, kind: "password" };
    }
    return null;
  };
  return { words, find };
}

/** Finders for passwords in Base64 or hex, beside the name of the encoding or a decoding call. */
const ENCODED_WORDS: readonly Finder[] = [
  encodedAs(
    ["base64", "Base64", "BASE64", "b64dec", "b64_dec", "b64:", "atob("],
    /(?<![\w+/=.-])(?=[a-zA-Z+/]*\d|[A-Za-z]*[A-Z])[A-Za-z\d+/]{12,140}={0,2}(?![\w+/=.-])/g,
    "base64",
  ),
  encodedAs(
    ["fromhex(", "unhexlify(", "hex2bin(", "xxd -r", "'hex'", '"hex"', "(hex)", "hex:", "Hex.decode"],
    /(?<![\w-])(?:[2-7][\da-fA-F]){8,64}(?![\w-])/g,
    "hex",
  ),
];

/** A call that joins string literals, with an optional separator first: `implode('', ['a', 'b'])`. */
const JOINING =
  /[\w.:]{2,20}\(\s{0,4}(?:(?:""|''),\s{0,4})?(?:\[\]string\s?|new\s\w{0,10}\[\]\s?)?[[({]?\s{0,20}((?:["'`][\w.+/=-]{3,200}["'`](?:\s{0,4},\s{0,20}(?=["'`]))?){2,20})/y;

function arePieces(pieces: string): boolean {
  const whole = pieces.replace(/["'`]\s*,?\s*["'`]?/g, "");
  return whole.length >= 16 && looksMixed(whole) && !isStandIn(whole);
}

const CODES =
  /(?:chr|CHR|Chr|char|CHAR)\(\d{2,3}\)(?:\s{0,3}(?:[.+,&]|\|\|)\s{0,3}(?:chr|CHR|Chr|char|CHAR)\(\d{2,3}\)){5,200}/y;

/** Returns the range of single character codes: `chr(75) . chr(57) . …`. */
function characterCodes(text: string, at: number): Secret | null {
  CODES.lastIndex = at;
  const codes = CODES.exec(text)?.[0];
  const plain = (codes?.match(/\d+/g) ?? []).map((code) => String.fromCharCode(Number(code))).join("");
  const isSecret = looksRandom(plain) || /^(?=.*\d)(?=.*[A-Za-z])[!-~]{6,}$/.test(plain);
  return codes !== undefined && isSecret ? { start: at, end: CODES.lastIndex, kind: "secret" } : null;
}

/** A value as a list of characters after its name: `pw[] = {'a', 'b', 'c'}`. */
const CHARACTERS =
  /[^\n"'`=]{0,24}(?:=|:)\s{0,4}(?:[^\n"'`=]{0,24}|''\.join\()[[{(]\s{0,8}((?:'[^'\n\\]'|"[^"\n\\]")(?:\s{0,4},\s{0,8}(?:'[^'\n\\]'|"[^"\n\\]")){5,200})/y;

/** Returns the list of characters assigned to the name that ends at an offset. */
export function listedCharacters(text: string, nameEnd: number): { start: number; end: number } | null {
  return firstGroup(text, nameEnd, CHARACTERS);
}

const HASHED = /["']([^"'\n]{4,200})["']\s{0,3}\|\s{0,3}$/;

/** Returns the value before a template filter that hashes or encodes it. */
function hashedBefore(text: string, at: number): Secret | null {
  const before = text.slice(Math.max(0, at - 220), at);
  const value = HASHED.exec(before);
  if (value?.[1] === undefined || isStandIn(value[1])) return null;
  const start = at - before.length + value.index + 1;
  return { start, end: start + value[1].length, kind: "password" };
}

const LIST_BEFORE =
  /\[\s{0,20}((?:["'`][\w.-]{1,200}["'`]\s{0,4},\s{0,20}){1,20}["'`][\w.-]{1,200}["'`]),?\s{0,20}\]$/;

/** Returns a token that code joins from pieces: `["xoxb", "…"].join("-")`. */
function joinedList(text: string, at: number): Secret | null {
  const list = LIST_BEFORE.exec(text.slice(Math.max(0, at - 1_000), at))?.[1];
  if (list === undefined) return null;
  const longest = (list.match(/[\w.-]+/g) ?? []).reduce((a, b) => (b.length > a.length ? b : a), "");
  if (longest.length < 16 || !looksMixed(longest) || isStandIn(longest)) return null;
  const start = text.lastIndexOf(list, at);
  return { start: start + 1, end: start + list.length - 1, kind: "token" };
}

/** Finders for secrets that code joins or spells differently. */
const SPELLED: readonly Finder[] = [
  finder(
    [
      ...["implode(", ".join([", ".join((", ".join({", "join('", 'join("', ".Join("],
      ...["concat(", "Concat(", "CONCAT(", "Enum.join(", "paste0("],
    ],
    "token",
    JOINING,
    arePieces,
  ),
  { words: ["chr(", "CHR(", "Chr(", "CHAR("], find: characterCodes },
  {
    words: ["password_hash(", "b64decode", "base64decode", "b64dec", "b64encode", "b64enc"],
    find: hashedBefore,
  },
  { words: [".join("], find: joinedList },
];

/** Names of settings to find inside Base64. */
const NAMES =
  "password Password PASSWORD passwd secret SECRET client_secret api_key apikey apiKey API_KEY token TOKEN".split(
    " ",
  );
/** Maximum length of Base64 to decode before and after a name in it. */
const MAX_RUN = 4_000;
const [RUN_BACK, RUN_AHEAD] = [/[A-Za-z0-9+/]*$/, /^[A-Za-z0-9+/]*={0,2}/];
const SETTING = /(?:password|passwd|secret|api_?key|token)["']?\s{0,3}[:=]\s{0,3}["']?([^\s"',;&}]{6,200})/gi;

/** Returns the three Base64 forms of a word, by its position in a group of three bytes. */
function encodings(word: string): string[] {
  return [0, 1, 2].map((shift) => {
    const whole = Buffer.from(`${"\0".repeat(shift)}${word}`, "latin1").toString("base64");
    return whole.slice(Math.ceil((shift * 4) / 3), Math.floor(((shift + word.length) * 4) / 3));
  });
}

/** Returns the Base64 text around an encoded name if it decodes to a secret of that name. */
function encodedSetting(text: string, at: number): Secret | null {
  const start = at - (RUN_BACK.exec(text.slice(Math.max(0, at - MAX_RUN), at))?.[0].length ?? 0);
  const run = RUN_AHEAD.exec(text.slice(start, at + MAX_RUN))?.[0] ?? "";
  const plain = Buffer.from(run, "base64").toString("latin1");
  if (/[^\t\r\n -~\x80-\xff]/.test(plain)) return null;
  const values = Array.from(plain.matchAll(SETTING), ([, value = ""]) => value);
  if (!values.some((value) => isSecretValue(value, PASSWORD, "setting"))) return null;
  return { start, end: start + run.length, kind: "secret" };
}

/** Finders for secrets that code joins, spells or encodes, and for settings in Base64 as a whole. */
export const ENCODED_FINDERS: readonly Finder[] = [
  ...SPELLED,
  ...ENCODED_WORDS,
  {
    words: [...new Set(NAMES.flatMap(encodings))].filter((word) => word.length > 5),
    find: encodedSetting,
  },
];
