import { fenceRoom, openFence } from "./fences.ts";
import { sentenceEnds } from "./sentences.ts";
import { pairStart } from "./units.ts";

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
  const head = text.slice(0, wholeStart(text, Math.min(text.length, Math.max(0, chars - 1))));
  const space = head.search(/\s\S*$/);
  return `${(space > head.length / 2 ? head.slice(0, space) : head).trimEnd()}…`;
}

/**
 * Returns the largest index up to `index`, in UTF-16 units, at which no accent and no part of an emoji is cut off,
 * unless it is all there is.
 */
function wholeStart(text: string, index: number): number {
  let at = pairStart(text, index);
  while (at > 0 && isJoined(text, at)) at = pairStart(text, at - 1);
  return at === 0 ? pairStart(text, index) : at;
}

/** Whether what stands at an index belongs to the character before it: an accent, a joiner, or what a joiner joins. */
function isJoined(text: string, at: number): boolean {
  return /^(?:\p{M}|\u200d)/u.test(text.slice(at, at + 2)) || text[at - 1] === "\u200d";
}
