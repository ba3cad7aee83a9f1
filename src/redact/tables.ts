import { codeAt } from "./classes.ts";
import { meaningOf, type NameMeaning, SECRET } from "./names.ts";
import type { Secret } from "./spans.ts";
import { statementSecrets } from "./sql-rows.ts";
import { isSecretValue } from "./values.ts";

/** Longer lines do not belong to a table. */
const MAX_LINE = 2_000;
const MAX_NAME = 40;
const BLANKS = / {2,}/g;
/** Separators of cells. The first one in the header counts. */
const SEPARATORS = [/\|/g, /[│┃║]/g, /\t/g, /;/g, /,/g, BLANKS];
/** A line between a header and its rows: `|---|:--:|`, `----+----`, `+====+`. */
const RULE = /^[\s|│+:=─┼├┤-]*$/;
const ENDS = new Set(Array.from("|,;)\t\n\r│┃║", (char) => char.charCodeAt(0)));
const WRAPPERS = new Set(Array.from(" *`\"'_", (char) => char.charCodeAt(0)));

interface Cell {
  start: number;
  end: number;
}

/** A quick check: a name that ends here may be a whole cell or the end of a cell. */
export function mayEndCell(text: string, at: number): boolean {
  let end = at;
  while (end - at < MAX_NAME && WRAPPERS.has(codeAt(text, end))) end++;
  return ENDS.has(codeAt(text, end)) || (end - at > 1 && codeAt(text, end - 1) === 32);
}

/** The values in columns whose header names a secret; `names` are places behind such names, in order. */
export function columnSecrets(text: string, names: readonly number[]): Secret[] {
  const found: Secret[] = [];
  let done = 0;
  for (const at of names) {
    if (at < done) continue;
    const rowsEnd = statementSecrets(text, at, found);
    const header = rowsEnd === null && text[at] !== ")" ? lineAt(text, at) : null;
    done = rowsEnd ?? (header === null ? at : tableSecrets(text, header, found));
  }
  return found;
}

/** Adds the secrets below a header, and returns where the table ends. */
function tableSecrets(text: string, header: Cell, found: Secret[]): number {
  const line = text.slice(header.start, header.end);
  const plain = line.trim();
  const separator = SEPARATORS.find((mark) => plain.search(mark) >= 0);
  const columns = separator === undefined ? [] : cellsOf(text, header, separator);
  const meanings = columns.map((cell) => columnMeaning(text.slice(cell.start, cell.end)));
  if (separator === undefined || columns.length < 2 || !meanings.some(Boolean)) return header.end;
  let end = header.end;
  for (let row = lineBehind(text, end); row; row = lineBehind(text, end)) {
    const isRule = RULE.test(text.slice(row.start, row.end));
    const cells = isRule ? [] : cellsOf(text, row, separator);
    if (row.end === row.start || (!isRule && cells.length !== columns.length)) break;
    for (const [i, cell] of cells.entries()) addSecret(text, cell, meanings[i] ?? null, found);
    end = row.end;
  }
  return end;
}

function addSecret(text: string, { start, end }: Cell, meaning: NameMeaning | null, found: Secret[]): void {
  if (meaning && isSecretValue(text.slice(start, end), meaning.strength, "setting"))
    found.push({ start, end, kind: meaning.kind });
}

/** What a column's header says of its values; null when it names no secret. */
function columnMeaning(header: string): NameMeaning | null {
  const name = header.replace(/^(?:[>#*-]\s+)+/, "");
  if (name.length > MAX_NAME || !/^[\w.-]+(?: [\w.-]+){0,2}$/.test(name)) return null;
  const meaning = meaningOf(name);
  return meaning.strength >= SECRET ? meaning : null;
}

/** Returns the line at a position; null for a line that is too long. */
function lineAt(text: string, at: number): Cell | null {
  const before = text.slice(Math.max(0, at - MAX_LINE), at);
  const start = at - before.length + before.lastIndexOf("\n") + 1;
  return start > 0 && text[start - 1] !== "\n" ? null : lineFrom(text, start);
}

function lineBehind(text: string, end: number): Cell | null {
  return text[end] === "\n" ? lineFrom(text, end + 1) : null;
}

function lineFrom(text: string, start: number): Cell | null {
  const length = text.slice(start, start + MAX_LINE).indexOf("\n");
  if (length >= 0) return { start, end: start + length };
  return text.length - start < MAX_LINE ? { start, end: text.length } : null;
}

/** The cells of a line, without blanks, quotes and marks around them. */
function cellsOf(text: string, line: Cell, separator: RegExp): Cell[] {
  const cells: Cell[] = [];
  const from = separator === BLANKS ? trimmed(text, line.start, line.end).start : line.start;
  let start = from;
  for (const mark of text.slice(from, line.end).matchAll(separator)) {
    cells.push(trimmed(text, start, from + mark.index));
    start = from + mark.index + mark[0].length;
  }
  cells.push(trimmed(text, start, line.end));
  return cells;
}

function trimmed(text: string, from: number, to: number): Cell {
  let [start, end] = [from, to];
  while (start < end && /[\s"'`*]/.test(text[start] ?? "")) start++;
  while (end > start && /[\s"'`*]/.test(text[end - 1] ?? "")) end--;
  return { start, end };
}
