import { isPhrase } from "./made-up.ts";
import { bare, MAX_VALUE, matched, past, trimmed, type Value } from "./notation-value.ts";

const BLANKS = /[ \t]{0,40}(?:\*\*|__(?=\s)|\\\r?\n)?[ \t]{0,40}/y;
/** What may stand around the value of a cell. */
const OPENING = /[ \t]{0,40}["'`*]{0,3}/y;
const LAST_CELL = /[ \t]{0,20}[^\s|│┃║]{5,300}[ \t]*(?=\r?\n|$)/y;

/** True behind an open `{{`: what follows a name there is a filter, not a cell. */
export function inTemplate(source: string, at: number): boolean {
  return /\{\{[^}\n]*$/.test(source.slice(Math.max(0, at - 80), at));
}

/** True for a mark between cells. */
export function isCellMark(char: string | undefined): boolean {
  return char === "|" || char === "│" || char === "┃" || char === "║";
}

/** The value in the cell that starts at a place. */
export function tableCell(source: string, at: number): Value | null {
  const length = source.slice(at, at + MAX_VALUE).search(/[|│┃║\n]/);
  if (length >= 0 && isCellMark(source[at + length]))
    return trimmed(source, past(OPENING, source, at), at + length, "quoted");
  if (past(LAST_CELL, source, at) > at) return bare(source, past(BLANKS, source, at), "setting");
  return bare(source, past(BLANKS, source, at), "sentence");
}

const REST = /[^\n#;"'`]{8,100}(?=\r?\n|$)/y;

/** Several words with a number behind `=`, as files of settings have them without quotes. */
export function phraseOfLine(source: string, at: number, operator: string): Value | null {
  const rest = operator === "=" ? matched(REST, source, at)?.[0].trim() : undefined;
  return rest !== undefined && /\d/.test(rest) && /\s/.test(rest) && isPhrase(rest)
    ? { start: at, end: at + rest.length, place: "quoted" }
    : null;
}

/** True for a name of several words, or one behind `#define`, that a value in quotes follows: `storePassword "…"`. */
export function isDirective(name: string, start: number, source: string): boolean {
  return /[a-z][A-Z]|\w_\w/.test(name) || /#define[ \t]+$/.test(source.slice(Math.max(0, start - 12), start));
}
