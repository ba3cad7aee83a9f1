import { pairStart } from "../text/units.ts";
import { LEVEL, type Line } from "./levels.ts";

/** A piece of text that is never split: a word, or a part of a very long word. */
export interface Atom {
  /** UTF-16 offsets. Whitespace is between atoms, never inside them. */
  start: number;
  end: number;
  tokens: number;
  /** How good a place to cut the position before it is; see `LEVEL`. */
  level: number;
  /** Number of the code block that contains it; -1 outside code blocks. */
  block: number;
}

/**
 * Longer words are split, in UTF-16 units. The tokenizer counts any word above its limit (100 letters, where a Hangul
 * syllable is three) as a single unknown token, so its count would be too low.
 */
const MAX_WORD_LENGTH = 32;
/** Longer grapheme clusters are split between code points. No readable cluster is this long. */
const MAX_GRAPHEME_LENGTH = 64;
const SENTENCE_END = /[.!?…。！？][)\]"'»”’*_`]*$/;
const FULL_WIDTH_END = /[。！？]/;
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Splits the lines of a text into atoms of at most `maxTokens` each. A single grapheme may be larger. */
export function atomsOf(
  text: string,
  lines: readonly Line[],
  countTokens: (text: string) => number,
  maxTokens: number,
): Atom[] {
  const count = memoized(countTokens);
  const atoms: Atom[] = [];
  for (const line of lines) {
    let level = line.level;
    for (const { start, end } of wordsOf(text, line)) {
      for (const part of partsOf(text, start, end, count, maxTokens)) {
        atoms.push({ ...part, level: part.start === start ? level : part.level, block: line.block });
      }
      level = SENTENCE_END.test(text.slice(Math.max(start, end - 8), end)) ? LEVEL.sentence : LEVEL.word;
    }
  }
  return atoms;
}

function* wordsOf(text: string, line: Line): Generator<{ start: number; end: number }> {
  for (const match of text.slice(line.start, line.end).matchAll(/\S+/g)) {
    const start = line.start + match.index;
    yield { start, end: start + match[0].length };
  }
}

/** Splits a word that is too long: after a full-width full stop if there is one, else between graphemes. */
function* partsOf(
  text: string,
  start: number,
  end: number,
  count: (text: string) => number,
  maxTokens: number,
): Generator<{ start: number; end: number; tokens: number; level: number }> {
  let level: number = LEVEL.inWord;
  for (let from = start; from < end; ) {
    let to = end - from <= MAX_WORD_LENGTH ? end : graphemeEnd(text, from, from + MAX_WORD_LENGTH, end);
    let tokens = count(text.slice(from, to));
    while (tokens > maxTokens) {
      const half = graphemeEnd(text, from, from + Math.floor((to - from) / 2), end);
      if (half >= to) break;
      to = half;
      tokens = count(text.slice(from, to));
    }
    yield { start: from, end: to, tokens, level };
    level = FULL_WIDTH_END.test(text.charAt(to - 1)) ? LEVEL.sentence : LEVEL.inWord;
    from = to;
  }
}

/**
 * Returns where a part that starts at `from` ends: after the last full-width full stop up to `wanted`, else at the last
 * grapheme boundary up to `wanted`, else after the first grapheme.
 */
function graphemeEnd(text: string, from: number, wanted: number, end: number): number {
  const window = text.slice(from, Math.min(end, wanted + MAX_GRAPHEME_LENGTH));
  let best = 0;
  let stop = 0;
  for (const { index, segment } of segmenter.segment(window)) {
    const after = index + segment.length;
    if (after > wanted - from && best > 0) break;
    best = after;
    if (FULL_WIDTH_END.test(segment)) stop = after;
    if (best >= wanted - from) break;
  }
  if (best > MAX_GRAPHEME_LENGTH) best = pairStart(window, MAX_GRAPHEME_LENGTH);
  return from + (stop > 0 ? stop : best);
}

function memoized(countTokens: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const tokens = countTokens(text);
    known.set(text, tokens);
    return tokens;
  };
}
