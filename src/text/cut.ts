import { lazily } from "../lazily.ts";
import { fenceRoom, openFence } from "./lines.ts";

/** Created on first use: plain text does not need it, and creating it slows down the start of a hook. */
const segmenter = lazily(() => new Intl.Segmenter(undefined, { granularity: "grapheme" }));

const CUT = "...";

/** UTF-16 units to examine per cluster to keep. Clusters of real text are shorter on average. */
const UNITS_PER_CLUSTER = 64;

/** True for printable ASCII and line breaks other than CR, where every UTF-16 unit is a grapheme cluster. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7e || unit === 0x0d) return false;
  }
  return true;
}

/**
 * Truncates a text to `limit` grapheme clusters and appends `...` if it was longer. Never splits an emoji, a flag or a
 * combining sequence. Takes time proportional to the result, not to the text.
 */
export function truncateGraphemes(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit + 1);
  if (isPlain(head)) return head.slice(0, limit) + CUT;
  let count = 0;
  for (const { index } of segmenter().segment(text.slice(0, limit * UNITS_PER_CLUSTER))) {
    if (count === limit) return text.slice(0, index) + CUT;
    count++;
  }
  return text.length <= limit * UNITS_PER_CLUSTER ? text : text.slice(0, limit * UNITS_PER_CLUSTER) + CUT;
}

/** Returns the largest index up to `index`, in UTF-16 units, that does not split a surrogate pair. */
export function pairStart(text: string, index: number): number {
  return isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index)) ? index - 1 : index;
}

/** Returns the first `length` UTF-16 units of a text, or one less where the cut would split a surrogate pair. */
export function firstUnits(text: string, length: number): string {
  return length >= text.length ? text : text.slice(0, pairStart(text, length));
}

/** Returns the last `length` UTF-16 units of a text, or one less where the cut would split a surrogate pair. */
export function lastUnits(text: string, length: number): string {
  if (length >= text.length) return text;
  const start = text.length - length;
  return text.slice(pairStart(text, start) === start ? start : start + 1);
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

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

/** Tells whether the character at an index belongs to the one before it: an accent, a joiner, or a joined character. */
function isJoined(text: string, at: number): boolean {
  return /^(?:\p{M}|\u200d)/u.test(text.slice(at, at + 2)) || text[at - 1] === "\u200d";
}

/**
 * The end of a sentence: punctuation and closing signs before a space and no small letter, before a sentence in Hangul, or at the
 * end of a line. Full-width punctuation needs no space. The number of a list item, as in "1. ", ends no sentence.
 */
const END =
  /[.!?…](?<!(?:^|\n)[ \t]*\d{1,2}\.)[)\]"'»”’*_`]*(?=\s+(?:[^\s\p{Ll}]|$)|$)|(?<=\p{Script=Hangul})[.!?…]+(?=\p{Script=Hangul})|[。！？｡．]+[」』）】”’]*|\n+/gu;
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|z\.B|d\.h|u\.a|o\.ä|bzw|ca|vgl|ggf|evtl|usw|inkl|p\. ?ex|p\. ?ej|т\.е|т\.д|т\.п|т\.к|напр|см|др|[A-Za-zА-Яа-я])\.$/;
/** An abbreviation before a number, as in `no. 5`, which ends no sentence. */
const NUMBERED = /(?:^|[\s(])(?:no|fig)\.$/i;
/** Length of the longest abbreviation with the character before it. */
const ABBREVIATION_CHARS = 9;

/** Returns the offsets after each sentence of a text, in order, except at the end of the text. */
export function sentenceEnds(text: string): number[] {
  const ends: number[] = [];
  for (const { index, 0: mark } of text.matchAll(END)) {
    const end = index + mark.length;
    if (end < text.length && !isAbbreviated(text, end)) ends.push(end);
  }
  return ends;
}

function isAbbreviated(text: string, end: number): boolean {
  const before = text.slice(Math.max(0, end - ABBREVIATION_CHARS), end);
  return ABBREVIATION.test(before) || (NUMBERED.test(before) && /^\s\d/.test(text.slice(end, end + 2)));
}
