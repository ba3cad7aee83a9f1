import { wordForm } from "./word-form.ts";
import table from "./words.txt" with { type: "text" };

/** The first line is the number of pieces; the others are a form and in how many pieces it is. `make:words` writes it. */
const PIECES = Number(table.slice(0, table.indexOf("\n")));
/** A word that the table does not hold counts as if it were in so many pieces. */
const UNLISTED_PIECES = 1;

/**
 * Returns in which share of texts for developers a word is, each some 1,500 characters long.
 *
 * The table is searched as it is: that takes some microseconds a word, and parsing it would take a millisecond.
 */
export function shareOfTexts(word: string): number {
  const entry = `\n${wordForm(word)} `;
  const at = table.indexOf(entry);
  const pieces =
    at < 0 ? UNLISTED_PIECES : Number.parseInt(table.slice(at + entry.length, at + entry.length + 8), 10);
  return pieces / (PIECES + 2);
}

/** Returns how likely a text holds a word by chance that is so many times as long as those of which `share` have it. */
export function chanceOf(share: number, times: number): number {
  return 1 - (1 - share) ** times;
}
