import { wordForm } from "./word-form.ts";
import table from "./words.txt" with { type: "text" };

/**
 * Number of text pieces behind the table, in its first line. Each other line is a word form and the number of pieces that contain
 * it, sorted by form. `make:words` writes the table.
 */
const PIECES = Number(table.slice(0, table.indexOf("\n")));
/** Maximum digits of a number in the table. */
const PIECES_DIGITS = 8;
/** Pieces that count for a word missing from the table. */
const UNLISTED_PIECES = 1;

/**
 * Returns the share of general developer texts of about 1,500 characters that contain a word.
 *
 * Searches the table as text, because parsing it would take a millisecond.
 */
export function shareOfTexts(word: string): number {
  return (listedPieces(wordForm(word)) ?? UNLISTED_PIECES) / (PIECES + 2);
}

/** Length of a part of the table to search linearly, which is faster than bisecting it further. */
const SEARCHED_CHARS = 2_000;

/** Returns the count in a form's line; null when the table does not list it. In a hook, this runs before it is compiled. */
function listedPieces(form: string): number | null {
  let low = table.indexOf("\n") + 1;
  let high = table.length;
  while (high - low > SEARCHED_CHARS) {
    const start = table.lastIndexOf("\n", ((low + high) >> 1) - 1) + 1;
    const listed = table.slice(start, table.indexOf(" ", start));
    if (listed <= form) low = start;
    else high = start;
  }
  const line = `\n${form} `;
  const found = table.slice(low - 1, high).indexOf(line);
  if (found < 0) return null;
  const number = low - 1 + found + line.length;
  return Number.parseInt(table.slice(number, number + PIECES_DIGITS), 10);
}

/**
 * Returns the probability that a text contains a word by chance, if it is `times` as long as the texts of which `share` contain
 * the word.
 */
export function chanceOf(share: number, times: number): number {
  return 1 - (1 - share) ** times;
}
