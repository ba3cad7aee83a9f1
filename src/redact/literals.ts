import { isSpoken, type Place } from "./values.ts";

/** A value that a name announces: where it is, and how it is written. */
export interface Value {
  start: number;
  end: number;
  place: Place;
  /** It is the first line of a block. */
  isBlock?: boolean;
}

/** The longest value that is judged. What is taken out may be longer. */
export const MAX_VALUE = 600;

const QUOTE = /\\{0,15}(?:"""|'''|["'`])/y;
const BARE = /(?:\[redacted:[\w-]{1,30}\]|[^\s"'`,;&|()[\]{}<>\\]|\\(?![nrtu"'`\\])){1,600}/y;
/** A `<` or `>` may be a part of it, but no tag. */
const WORD =
  /(?:[^\s"'`<>]|(?<=\w)<(?![\w/!])|(?<=[\w!-/:-@])>(?=[\w!-/]))(?:[^\s"'`<>]|<(?![\w/!])|>(?=[\w!-/])){0,600}/y;

/** Returns the inside of a string literal. A literal without an end goes to the end of its line. */
export function literal(source: string, at: number): Value | null {
  const quote = matched(QUOTE, source, at)?.[0];
  if (quote === undefined) return null;
  const start = at + quote.length;
  const mark = quote.replace(/^\\+/, "");
  const escapes = quote.length - mark.length;
  const limit = Math.min(source.length, start + 4_000);
  const isLong = mark.length === 3 || mark === "`";
  for (let i = start; i < limit; i++) {
    const char = source[i];
    if (char === "\n" && !isLong) return { start, end: i, place: "quoted" };
    if (char !== mark[0] || !source.startsWith(mark, i)) continue;
    const before = backslashesBefore(source, i, start);
    if (before > escapes || (before > 0 && before < escapes)) continue;
    return { start, end: i - before, place: "quoted" };
  }
  return { start, end: limit, place: "quoted" };
}

function backslashesBefore(source: string, at: number, from: number): number {
  let count = 0;
  while (at - count > from && source[at - count - 1] === "\\") count++;
  return count;
}

/** Returns the value without quotes that starts at a position. */
export function bare(source: string, at: number, place: Place): Value | null {
  const match = matched(isSpoken(place) ? WORD : BARE, source, at);
  return match ? trimmed(source, at, at + match[0].length, place) : null;
}

/** A value without the blanks and quotes around it, and in a sentence without its full stop; null when nothing is left. */
export function trimmed(source: string, from: number, to: number, place: Place): Value | null {
  let [start, end] = [from, to];
  while (start < end && /\s/.test(source[start] ?? "")) start++;
  while (end > start && /[\s,;"'`]/.test(source[end - 1] ?? "")) end--;
  if (isSpoken(place) || place === "code") while (end > start && /[.!?:]/.test(source[end - 1] ?? "")) end--;
  return end > start ? { start, end, place } : null;
}

/** Matches a sticky pattern at a position. */
export function matched(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

/** Returns the end of a match; the position itself when the sticky pattern does not match. */
export function past(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : at;
}

/** A name, and where it stands. */
export interface Name {
  text: string;
  start: number;
  end: number;
}
