import { INDEXED_CHARS } from "../constants.ts";
import { firstUnits, lastUnits } from "./units.ts";

/**
 * Returns the pieces of a turn's text that are indexed, by words and by meaning: all of it or, of a text beyond the limit,
 * its start and its end, where the prompt begins and the answer stands. What lies between is stored, and can be shown.
 */
export function indexedParts(text: string): { start: number; text: string }[] {
  if (text.length <= INDEXED_CHARS) return [{ start: 0, text }];
  const last = lastUnits(text, INDEXED_CHARS / 2);
  return [
    { start: 0, text: firstUnits(text, INDEXED_CHARS / 2) },
    { start: text.length - last.length, text: last },
  ];
}
