import { wordForm } from "./word-form.ts";
import table from "./words.txt" with { type: "text" };

/** The first line is the number of pieces; the others are a form and in how many pieces it is, sorted. `make:words` writes it. */
const PIECES = Number(table.slice(0, table.indexOf("\n")));
/** A word that the table does not hold counts as if it were in so many pieces. */
const UNLISTED_PIECES = 1;

/**
 * Returns in which share of texts for developers a word is, each some 1,500 characters long.
 *
 * The table is searched as it is: parsing it would take a millisecond.
 */
export function shareOfTexts(word: string): number {
  return (listedPieces(wordForm(word)) ?? UNLISTED_PIECES) / (PIECES + 2);
}

/** Finds a form's line by bisection; null when the table does not list it. */
function listedPieces(form: string): number | null {
  let low = table.indexOf("\n") + 1;
  let high = table.length;
  while (low < high) {
    const start = table.lastIndexOf("\n", ((low + high) >> 1) - 1) + 1;
    const end = table.indexOf("\n", start);
    const [listed = "", pieces = ""] = table.slice(start, end).split(" ");
    if (listed === form) return Number(pieces);
    if (listed < form) low = end + 1;
    else high = start;
  }
  return null;
}

/** Returns how likely a text holds a word by chance that is so many times as long as those of which `share` have it. */
export function chanceOf(share: number, times: number): number {
  return 1 - (1 - share) ** times;
}
