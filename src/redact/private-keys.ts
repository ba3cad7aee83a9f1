import { type Finder, finder, type Secret } from "./finder.ts";
import { wordShare } from "./randomness.ts";

const KIND = "private-key";
const BEGIN = /-{3,5}\s?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\s?-{3,5}/y;
const END = /-{3,5}\s?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\s?-{3,5}/y;
/** Separators of a key's lines: line breaks, escaped or percent-encoded ones. */
const BREAK = /\r?\n|\\{1,15}r\\{1,15}n|\\{1,15}n|%0[Dd]%0[Aa]|%0[Aa]/g;
/** Characters before a line: of quotes, lists, diffs, comments and line numbers. */
const DECORATION = /^(?:[\s>*#|"'`+,;:/([-]|\d{1,6}(?:→|[:|)\t]|(?=\s)))*/;
const TRAILERS = " \t\r\n\"'`,+;.\\)]|│";
const BODY = /^(?:[A-Za-z0-9+/]{4,}={0,2}|=[A-Za-z0-9+/]{4})$/;
/** The lines of a key joined by blanks. */
const TAIL = /(?:[A-Za-z0-9+/]{40,}={0,2}[ \t]){1,200}[A-Za-z0-9+/]{0,76}={0,2}[ \t]?$/;
/** A quick check for the last character of such lines. */
const ENDS_TAIL = /[A-Za-z0-9+/= \t]/;
const HEADER = /^[A-Za-z][\w-]{0,60}:\s?\S?.*$/;
const KEY_RUN = /[A-Za-z0-9+/]{16,}/g;

/** Returns the private key whose first line starts at an offset; null when no key follows. */
function keyFromBegin(text: string, at: number): Secret | null {
  BEGIN.lastIndex = at;
  if (!BEGIN.test(text)) return null;
  const body = BEGIN.lastIndex;
  const next = text.indexOf("-BEGIN ", body);
  const limit = next < 0 ? text.length : next;
  const end = endAfter(text, body, limit);
  if (end !== null)
    return holdsKey(text.slice(body, end.start)) ? { start: at, end: end.end, kind: KIND } : null;
  const last = lastBodyLine(text, body, limit, true);
  return last === null ? null : { start: at, end: last, kind: KIND };
}

function endAfter(text: string, from: number, limit: number): { start: number; end: number } | null {
  const body = text.slice(from, limit);
  for (let at = body.indexOf("END "); at >= 0; at = body.indexOf("END ", at + 4)) {
    let dash = at;
    while (dash > 0 && at - dash < 8 && /[- ]/.test(body[dash - 1] ?? "")) dash--;
    for (; dash < at; dash++) {
      END.lastIndex = from + dash;
      if (END.test(text)) return { start: from + dash, end: END.lastIndex };
    }
  }
  return null;
}

/** Tells whether the text between the first and the last line is a key, and not words or dots in its place. */
function holdsKey(between: string): boolean {
  for (const [run] of between.matchAll(KEY_RUN)) if (run.length >= 40 || wordShare(run) < 0.7) return true;
  return false;
}

/** Returns the end of the last line of an unfinished key. Skips header lines and similar text. */
function lastBodyLine(text: string, from: number, limit: number, hasHeader = false): number | null {
  let last: number | null = null;
  for (const line of linesFrom(text, from, limit)) {
    const plain = withoutTrailer(line.text).replace(DECORATION, "");
    if (isBodyLine(plain, last !== null) || holdsBodyLine(line.text, last !== null))
      last = line.start + withoutTrailer(line.text).length;
    else if (plain !== "" && !(hasHeader && HEADER.test(plain))) break;
  }
  return last;
}

/** Tells whether a line inside a key belongs to it. Every Base64 line does, except a single word. */
function isBodyLine(plain: string, isInside: boolean): boolean {
  if (!BODY.test(plain)) return false;
  if (isInside) return !/^[A-Z]?[a-z]+$/.test(plain);
  return plain.length >= 40 || (plain.length >= 12 && wordShare(plain) < 0.7);
}

const LONG_RUN = /[A-Za-z0-9+/]{40,}/;
const LAST_RUN = /[\s:"']([A-Za-z0-9+/]{12,}={0,2})$/;

/**
 * Tells whether a line contains a key's line after a prefix that no list covers: names of files and authors, times, code that
 * joins strings.
 */
function holdsBodyLine(line: string, isInside: boolean): boolean {
  const run = LONG_RUN.exec(line)?.[0];
  if (run !== undefined) return wordShare(run) < 0.7;
  const last = isInside ? LAST_RUN.exec(withoutTrailer(line))?.[1] : undefined;
  return last !== undefined && wordShare(last) < 0.5;
}

function* linesFrom(text: string, from: number, limit: number): Generator<{ start: number; text: string }> {
  const body = text.slice(from, limit);
  let start = 0;
  for (const found of body.matchAll(BREAK)) {
    yield { start: from + start, text: body.slice(start, found.index) };
    start = found.index + found[0].length;
  }
  if (start < body.length) yield { start: from + start, text: body.slice(start) };
}

/** Removes the text after a line's part of a key: quotes, commas, string joints. */
function withoutTrailer(line: string): string {
  let end = line.length;
  while (end > 0 && TRAILERS.includes(line[end - 1] ?? "x")) end--;
  return line.slice(0, end);
}

/** Maximum length of a key on one line. */
const MAX_TAIL = 6_000;

/** Returns the lines of a private key before its last line, without a first line; `at` is the offset of the dashes. */
export function keyBeforeEnd(text: string, at: number, from: number): Secret | null {
  END.lastIndex = at;
  if (!END.test(text)) return null;
  let start = at;
  let found = false;
  while (start > from) {
    const before = text.slice(Math.max(from, start - 200), start);
    const line = /(?:^|\n|\\n|%0[Aa])([^\n\\%]{1,160})(?:\n|\\n|%0[Aa]|\s)?$/.exec(before);
    const plain = withoutTrailer(line?.[1] ?? "").replace(DECORATION, "");
    if (!line || !BODY.test(plain)) break;
    start -= before.length - line.index;
    found = true;
  }
  const mayTail = !found && ENDS_TAIL.test(text[at - 1] ?? "");
  const tail = mayTail ? TAIL.exec(text.slice(Math.max(from, at - MAX_TAIL), at)) : null;
  if (tail) return { start: at - tail[0].length, end: END.lastIndex, kind: KIND };
  if (!found) return null;
  while (/\s/.test(text[start] ?? "")) start++;
  return { start, end: END.lastIndex, kind: KIND };
}

/**
 * Starts of Base64 private keys: PKCS #1 and #8 (a sequence, the number 0, a number or a sequence), EC, PKCS #8 of Ed25519,
 * OpenSSH.
 */
const DER =
  /MII[A-Za-z0-9+/]{2}[AQgw]IBA[ADTU]|MI[GH][A-Za-z0-9+/]AgE[AB]|M[CD][A-Za-z0-9+/]CAQ[AE][A-Za-z0-9+/]|MH[cQ]CAQEE|b3BlbnNzaC1rZXktdj|MII[A-Za-z0-9+/]{2}[TDzj]B[OAVWXYPQRSTU][BgwQA][gk]kqhkiG9w0BBQ/y;
const MIN_DER = 48;
/** A line of a key, or all of a shorter one. */
const FIRST_LINE = /[A-Za-z0-9+/]{40}|[A-Za-z0-9+/]{8,39}={0,2}[ "'`,+;|)]{0,8}(?:$|[\r\n\\%])/y;
/** Maximum length. The longest key in use, RSA of 16,384 bits, has some 12,500 characters. */
const MAX_BARE = 20_000;

/** Returns the lines of a private key without a first and a last line. */
function bareKey(text: string, at: number): Secret | null {
  DER.lastIndex = at;
  FIRST_LINE.lastIndex = at;
  if (!DER.test(text) || !FIRST_LINE.test(text)) return null;
  const last = lastBodyLine(text, at, Math.min(text.length, at + MAX_BARE));
  return last !== null && last - at >= MIN_DER ? { start: at, end: last, kind: KIND } : null;
}

const ENCODED = /LS0tLS1CRUdJTi[A-Za-z0-9+/\r\n]{20,}={0,2}/y;

/** Returns a private key encoded in Base64 as a whole, as in a kubeconfig's `client-key-data`. */
function encodedKey(text: string, at: number): Secret | null {
  ENCODED.lastIndex = at;
  const found = ENCODED.exec(text)?.[0];
  if (found === undefined) return null;
  const head = Buffer.from(found.slice(0, 80), "base64").toString("latin1");
  return head.includes("PRIVATE KEY") ? { start: at, end: at + found.length, kind: KIND } : null;
}

const STATIC = /-{3,5}BEGIN OpenVPN Static key V1-{3,5}\s{0,4}((?:[0-9a-f]{16,64}\s{0,4}){1,40})/y;

/** Returns the lines after `Private-Lines: n` in a PuTTY key. */
function puttyKey(text: string, at: number): Secret | null {
  const head = /Private-Lines:\s?\d{1,3}/y;
  head.lastIndex = at;
  if (!head.test(text)) return null;
  const last = lastBodyLine(text, head.lastIndex, Math.min(text.length, head.lastIndex + MAX_BARE));
  return last === null ? null : { start: head.lastIndex, end: last, kind: KIND };
}

/** Minimum different numbers in a list; fewer are tables or counters. */
const MIN_DIFFERENT = 6;

/** Tells whether a list of numbers is a key or a password in bytes, and neither a table nor a counter. */
export function isBytes(list: string): boolean {
  const numbers = (list.match(/\w+/g) ?? []).map(Number);
  const isSorted = numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? 0));
  return !isSorted && new Set(numbers).size >= MIN_DIFFERENT && numbers.every((number) => number < 256);
}

/** Finders for private keys. */
export const KEY_FINDERS: readonly Finder[] = [
  {
    words: ["MII", "MIG", "MIH", "MC4", "MC8", "MDc", "MHc", "MHQ", "b3BlbnNz"],
    startsWord: true,
    find: bareKey,
  },
  finder(["-----BEGIN OpenVPN"], KIND, STATIC, () => true),
  { words: ["LS0tLS1CRUdJTi"], startsWord: true, find: encodedKey },
  { words: ["Private-Lines:"], find: puttyKey },
  { words: ["-----BEGIN ", "---- BEGIN ", "---BEGIN "], find: keyFromBegin },
];
