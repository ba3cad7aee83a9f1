import { codeAt } from "./classes.ts";

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
export function blockEnd(text: string, start: number, end: number): number {
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
