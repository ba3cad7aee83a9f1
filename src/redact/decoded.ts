import { codeAt, isDigit } from "./classes.ts";

/** A text without escapes and colours. */
export interface Decoded {
  text: string;
  /** Returns where the characters from `start` to `end` came from. */
  source(start: number, end: number): { start: number; end: number };
}

/** Terminal colours, real and written out; escapes of JSON and of other languages; percent-encoding; entities. */
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

/** What is farther from an escape was searched as it stands. */
const MARGIN = 1_500;

/**
 * Decodes a text's escapes, in pieces: a long run of lines without any is left out, but for what is next to an escape. Nested
 * escapes, as in JSON within JSON, count as one. Colours may separate words or be within one: `colour` replaces them.
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

function plain(text: string, start: number): Part {
  return { text, start, end: -1 };
}

/** True for a text with colours, which is worth reading in both ways. */
export function isColoured(text: string): boolean {
  return text.includes("[") && /\[\d{0,3}(?:;\d{1,3}){0,5}[mK]/.test(text);
}

const [ESC, PERCENT, AMPERSAND, BRACKET, BACKSLASH] = [27, 37, 38, 91, 92];
/** Soft hyphens and characters without a width. */
export const INVISIBLE: readonly number[] = [0xad, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff];
const PERCENT_CODE = /%(?:25){0,2}(?:[2-7][0-9a-fA-F]|0[aAdD])/y;
const ENTITY = /&(?:quot|apos|amp|lt|gt|#\w{2,3});/y;
const BARE_COLOUR = /\[\d{1,3}(?:;\d{1,3})*m/y;

/** Whether an escape starts at a place, or may start there. */
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

/** A piece of a decoded text, and where it came from; `end` is -1 for one that was copied. */
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

/** The index of the last number that is not greater than `at`; numbers are in order. */
function lastNotBehind(numbers: Uint32Array, at: number): number {
  let [low, high] = [0, numbers.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return low;
}
