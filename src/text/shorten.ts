import { fenceRoom, openFence } from "./fences.ts";
import { firstUnits } from "./units.ts";

/** The end of a sentence or of a line. */
const SENTENCE_END = /[.!?。！？…][)\]"'»”’*_`]*(?=\s)|\n/g;

/**
 * Shortens a text to at most `chars` characters: at the end of a sentence or line where that keeps half of them, else
 * between words, with `…`. Closes a code block that it cuts.
 */
export function shorten(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const head = firstUnits(text, Math.max(0, chars - fenceRoom(text) - 1));
  const ends = [...head.matchAll(SENTENCE_END)].map(({ index, 0: mark }) => index + mark.length);
  const end = ends.findLast((at) => at >= head.length / 2);
  const space = head.search(/\s\S*$/);
  const cut =
    end === undefined
      ? `${(space > head.length / 2 ? head.slice(0, space) : head).trimEnd()}…`
      : head.slice(0, end).trimEnd();
  const open = openFence(cut);
  return open === null ? cut : `${cut}\n${open}`;
}
