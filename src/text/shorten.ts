import { fenceRoom, openFence } from "./fences.ts";
import { sentenceEnds } from "./sentences.ts";
import { firstUnits } from "./units.ts";

/** Characters after a cut that show whether a sentence ends there. */
const LOOK_AHEAD = 2;

/**
 * Shortens a text to at most `chars` characters: at the end of a sentence or line where that keeps half of them, else
 * between words, with `…`. Closes a code block that it cuts.
 */
export function shorten(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const room = Math.max(0, chars - fenceRoom(text));
  const ends = sentenceEnds(text.slice(0, room - 1 + LOOK_AHEAD));
  const end = ends.findLast((at) => at < room && at >= (room - 1) / 2);
  const cut = end === undefined ? cutAtWord(text, room) : text.slice(0, end).trimEnd();
  const open = openFence(cut);
  return open === null ? cut : `${cut}\n${open}`;
}

/** Cuts a text to at most `chars` characters, between words where that keeps half of them, and adds `…`. */
export function cutAtWord(text: string, chars: number): string {
  const head = firstUnits(text, Math.max(0, chars - 1));
  const space = head.search(/\s\S*$/);
  return `${(space > head.length / 2 ? head.slice(0, space) : head).trimEnd()}…`;
}
