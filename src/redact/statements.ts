/** Values in the rows of SQL statements, whose columns give their meaning. */
import type { Finder, Secret } from "./finder.ts";
import { meaningOf, type NameMeaning, SECRET } from "./names.ts";
import { isSecretValue } from "./values.ts";

/** Statements with rows: `HEAD` matches the text before the list of columns, the others match from there to the rows. */
const HEAD = /(?:into|copy)\s{1,4}[^\s(]{1,80}\s{0,4}$/i;
const MAX_HEAD = 100;
const VALUES = /[^()]{0,600}\)\s{0,20}values\s{0,20}(?=\()/iy;
const FROM_STDIN = /[^()]{0,600}\)\s{0,20}from\s{1,4}stdin([^;\n]{0,200});?[^\S\n]*\n/iy;
const ITEM =
  /\s{0,20}(?:(?:\\{0,15}'(?:[^'\n]|'')*'|\\{0,15}"[^"\n]*")\s{0,20}|[^,()'"\s][^,()'"]*(?:\([^()]*\)\s{0,20})?)([,)])/y;
const NEXT_ROW = /\s{0,20},\s{0,20}\(/y;
/** Maximum length of a list of columns up to a name in it. */
const MAX_COLUMNS = 600;

/**
 * Adds the secrets in the rows of an INSERT or a COPY; `at` is the end of a column's name. Returns the end of the rows; null
 * without such a statement.
 */
export function statementSecrets(text: string, at: number, found: Secret[]): number | null {
  const head = columnsBefore(text, at);
  if (head === null) return null;
  const behind = /^[^()]{0,600}/.exec(text.slice(at, at + 600))?.[0] ?? "";
  const columns = `${head}${behind}`.split(",").map((name) => secretMeaning(name.replace(/[^\w.-]+/g, "")));
  VALUES.lastIndex = at;
  if (VALUES.test(text)) return addTuples(text, VALUES.lastIndex + 1, columns, found);
  FROM_STDIN.lastIndex = at;
  const options = FROM_STDIN.exec(text)?.[1];
  if (options === undefined) return null;
  return addLines(text, FROM_STDIN.lastIndex, /csv/i.test(options) ? "," : "\t", { columns, found });
}

/** Returns the columns before a name, from the bracket that opens their list; null outside such a statement. */
function columnsBefore(text: string, at: number): string | null {
  const before = text.slice(Math.max(0, at - MAX_COLUMNS), at);
  const open = before.lastIndexOf("(");
  if (open < 0 || before.includes(")", open)) return null;
  const start = at - before.length + open;
  return HEAD.test(text.slice(Math.max(0, start - MAX_HEAD), start)) ? before.slice(open + 1) : null;
}

function secretMeaning(name: string): NameMeaning | null {
  const meaning = meaningOf(name);
  return meaning.strength >= SECRET ? meaning : null;
}

type Columns = readonly (NameMeaning | null)[];

function addTuples(text: string, from: number, columns: Columns, found: Secret[]): number {
  let end = from;
  for (let row = from; ; ) {
    ITEM.lastIndex = row;
    for (const meaning of columns) {
      const start = ITEM.lastIndex;
      const match = ITEM.exec(text);
      if (!match) return end;
      end = ITEM.lastIndex;
      addQuoted(text, { start, end }, meaning, found);
      if (match[1] === ")") break;
      ITEM.lastIndex = end;
    }
    NEXT_ROW.lastIndex = end;
    if (!NEXT_ROW.test(text)) return end;
    row = NEXT_ROW.lastIndex;
  }
}

const QUOTED = /\\{0,15}(['"])(.*?)\\{0,15}\1\s{0,20}[,)]$/s;

function addQuoted(
  text: string,
  { start, end }: { start: number; end: number },
  meaning: NameMeaning | null,
  found: Secret[],
): void {
  const value = meaning && QUOTED.exec(text.slice(start, end))?.[2];
  if (!meaning || !value || !isSecretValue(value, meaning.strength, "quoted")) return;
  const from = text.indexOf(value, start);
  found.push({ start: from, end: from + value.length, kind: meaning.kind });
}

/** Adds the secrets in the lines of a COPY, up to `\.` or a line with another number of values. */
function addLines(
  text: string,
  from: number,
  mark: string,
  { columns, found }: { columns: Columns; found: Secret[] },
): number {
  let start = from;
  while (start < text.length) {
    const next = text.indexOf("\n", start);
    const end = next < 0 ? text.length : next;
    const cells = text.slice(start, end).split(mark);
    if (cells.length !== columns.length) return start;
    let at = start;
    for (const [i, cell] of cells.entries()) {
      const meaning = columns[i];
      if (meaning && isSecretValue(cell.trim(), meaning.strength, "setting"))
        found.push({ start: at, end: at + cell.length, kind: meaning.kind });
      at += cell.length + 1;
    }
    start = end + 1;
  }
  return start;
}

/** The columns of a query up to the end of its line. */
const SELECT = /select\s{1,4}([\w.", ]{1,300}?)\s{1,4}from\s[^\n]{1,300}\n/iy;
/** Separators of values in a row, as sqlite3 and other clients print them without a header. */
const MARKS = ["|", "\t"];
const MAX_ROWS = 50;

/** Returns the secrets in the rows below a query. */
function selectedSecrets(text: string, at: number): Secret | null {
  SELECT.lastIndex = at;
  const names = SELECT.exec(text)?.[1]?.split(",") ?? [];
  const columns = names.map((name) => secretMeaning(name.trim().replace(/^.*[\s.]|"/g, "")));
  if (columns.length < 2 || !columns.some(Boolean)) return null;
  const found: Secret[] = [];
  const from = SELECT.lastIndex;
  for (const mark of MARKS) addLines(text.slice(0, endOf(text, from)), from, mark, { columns, found });
  const [first, ...others] = found;
  return first === undefined ? null : { ...first, others };
}

function endOf(text: string, from: number): number {
  let end = from;
  for (let row = 0; row < MAX_ROWS && end >= 0; row++) end = text.indexOf("\n", end + 1);
  return end < 0 ? text.length : end;
}

/** Finder for queries with their columns. */
export const QUERIES: Finder = {
  words: ["select", "SELECT", "Select"],
  startsWord: true,
  find: selectedSecrets,
};
