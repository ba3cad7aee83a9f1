import type { Finder, Secret } from "./finder.ts";
import { isTelling } from "./generated.ts";
import { isMessage } from "./made-up.ts";
import { isBenign, meaningOf, type NameMeaning, SECRET } from "./names.ts";
import { looksRandom } from "./randomness.ts";
import { codeAt } from "./signs.ts";
import { isStandIn } from "./stand-ins.ts";
import { statementSecrets } from "./statements.ts";
import { isSecretValue, type Place } from "./values.ts";

/** Maximum length of a table's line. */
const MAX_LINE = 2_000;
const MAX_NAME = 40;
const BLANKS = / {2,}/g;
/** Separators of cells, in order of preference. The first one in the header counts. */
const SEPARATORS = [/\|/g, /[│┃║]/g, /\t/g, /;/g, /,/g, BLANKS];
/** A line between a header and its rows: `|---|:--:|`, `----+----`, `+====+`. */
const RULE = /^[\s|│+:=─┼├┤-]*$/;
const ENDS = new Set(Array.from("|,;)\t\n\r│┃║", (char) => char.charCodeAt(0)));
const WRAPPERS = new Set(Array.from(" *`\"'_", (char) => char.charCodeAt(0)));

interface Cell {
  start: number;
  end: number;
}

/** Tells quickly whether a name that ends here may be a whole cell or the end of one. */
export function mayEndCell(text: string, at: number): boolean {
  let end = at;
  while (end - at < MAX_NAME && WRAPPERS.has(codeAt(text, end))) end++;
  return ENDS.has(codeAt(text, end)) || (end - at > 1 && codeAt(text, end - 1) === 32);
}

/** Returns the values in columns whose header names a secret; `names` are the sorted offsets after such names. */
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

/** Returns the cells of a header and their separator; null for a line with one cell. */
function partsOf(text: string, header: Cell): { separator: RegExp; columns: Cell[] } | null {
  const plain = text.slice(header.start, header.end).trim();
  const separator = SEPARATORS.find((mark) => plain.search(mark) >= 0);
  return separator ? { separator, columns: cellsOf(text, header, separator) } : null;
}

/** Tells whether cells are a header: two columns or more, because a list of words, one per line, is not a table. */
function isHeader(columns: readonly Cell[]): boolean {
  return columns.length > 2 || (columns.length === 2 && columns.every(({ start, end }) => start < end));
}

/** Adds the secrets below a header. Returns the end of the table. */
function tableSecrets(text: string, header: Cell, found: Secret[]): number {
  const parts = partsOf(text, header);
  const { separator = BLANKS, columns = [] } = parts ?? {};
  const headers = columns.map((cell) => text.slice(cell.start, cell.end));
  const meanings = headers.map(columnMeaning);
  if (!isHeader(columns) || !meanings.some(Boolean)) return header.end;
  let end = header.end;
  for (let row = lineBehind(text, end); row && row.end > row.start; row = lineBehind(text, end)) {
    const isRule = RULE.test(text.slice(row.start, row.end));
    const cells = isRule ? [] : cellsOf(text, row, separator);
    const places = isRule ? [] : placesOf(cells, row, columns, { header, separator });
    if (places === null) break;
    for (const [i, cell] of cells.entries())
      addSecret(text, cell, {
        meaning: meanings[places[i] ?? -1] ?? null,
        place: placeUnder(headers),
        found,
      });
    end = row.end;
  }
  return end;
}

/**
 * Returns the column of each cell in a row. With blanks as separators, some cells may be missing: the others start below their
 * headers.
 */
function placesOf(
  cells: readonly Cell[],
  row: Cell,
  columns: readonly Cell[],
  { header, separator }: { header: Cell; separator: RegExp },
): number[] | null {
  if (cells.length === columns.length) return cells.map((_, i) => i);
  if (separator !== BLANKS) return null;
  const shift = row.start - header.start;
  const places = cells.map((cell) => columns.findIndex((column) => column.start + shift === cell.start));
  return places.includes(-1) ? null : places;
}

/** A column of logins beside that of passwords. */
const OF_LOGIN =
  /^(?:user|username|user[ _]name|login|account|host|hostname|server|url|e-?mail|benutzer|utilisateur|usuario|usuário|utente|gebruiker)$/i;

function placeUnder(headers: readonly string[]): Place {
  return headers.some((name) => OF_LOGIN.test(name)) ? "environment" : "setting";
}

function addSecret(
  text: string,
  { start, end }: Cell,
  { meaning, place, found }: { meaning: NameMeaning | null; place: Place; found: Secret[] },
): void {
  const value = text.slice(start, end);
  if (
    meaning === null ||
    (place === "environment" && (/^[A-Za-z]+$|\s/.test(value) || value.split(/[-_]/).some(isMessage)))
  )
    return;
  if (isSecretValue(value, meaning.strength, place)) found.push({ start, end, kind: meaning.kind });
}

/** The header of a list of names and values, as vaults print it. */
const NAME_HEADER = /^(?:(?:secret|variable|config) )?(?:key|name|variable|secret|setting)$/i;
const VALUE_HEADER = /^(?:(?:secret|raw) )?value$/i;

/** Returns the secrets in a list of names and values, whatever the names are; the header starts at an offset. */
function pairSecrets(text: string, at: number): Secret | null {
  const header = lineAt(text, at);
  const found: Secret[] = [];
  if (header) addPairs(text, header, found);
  const [first, ...others] = found;
  return first === undefined ? null : { ...first, others };
}

/** Adds the secrets of a list below its header. */
function addPairs(text: string, header: Cell, found: Secret[]): void {
  const parts = partsOf(text, header);
  const columns = parts?.columns.map(({ start, end }) => text.slice(start, end)) ?? [];
  const names = columns.findIndex((column) => NAME_HEADER.test(column));
  const values = columns.findIndex((column) => VALUE_HEADER.test(column));
  if (parts === null || names < 0 || values < 0) return;
  let end = header.end;
  for (let row = lineBehind(text, end); row && row.end > row.start; row = lineBehind(text, end)) {
    const cells = RULE.test(text.slice(row.start, row.end)) ? [] : cellsOf(text, row, parts.separator);
    const [name, value] = [cells[names], cells[values]];
    if (name && value) addPair(text, text.slice(name.start, name.end), value, found);
    end = row.end;
  }
}

function addPair(text: string, name: string, { start, end }: Cell, found: Secret[]): void {
  const value = text.slice(start, end);
  const { strength, kind } = meaningOf(name);
  const isSecret =
    strength >= SECRET ? isSecretValue(value, strength, "environment") : isUnnamed(name, value);
  if (isSecret) found.push({ start, end, kind });
}

/** Names whose harmless values may look like a secret. */
const OF_NONE = /(?:accessor|theme|mode|type|region|zone|class)$/i;

/** Tells whether a value in such a list is a secret although its name does not say so. */
function isUnnamed(name: string, value: string): boolean {
  if (
    isBenign(name) ||
    OF_NONE.test(name) ||
    /[:/\s]|\.[a-z]/.test(value) ||
    isStandIn(value) ||
    /^[\da-f]+$/.test(value)
  )
    return false;
  if (/^[a-z\d]{12,}$/.test(value)) return /\d/.test(value) && looksRandom(value);
  return isTelling(value);
}

/** Returns the meaning of a column's header for its values; null when it names no secret. */
function columnMeaning(header: string): NameMeaning | null {
  const name = header.replace(/^(?:[>#*-]\s+)+/, "");
  if (name.length > MAX_NAME || !/^[\w.-]+(?: [\w.-]+){0,2}$/.test(name)) return null;
  const meaning = meaningOf(name);
  return meaning.strength >= SECRET ? meaning : null;
}

/** Returns the line at an offset; null for a line that is too long. */
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

/** Returns the cells of a line, without surrounding blanks, quotes and marks. */
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

/** Finder for such lists, by the start of the header. */
export const PAIR_LISTS: Finder = {
  words: ["Key", "KEY", "Name", "NAME"].flatMap((word) => ["  ", " |", " │"].map((mark) => word + mark)),
  startsWord: true,
  find: pairSecrets,
};
