import { LEVEL, type Line } from "./levels.ts";

/** A piece of text that is never cut: a word, or a part of a very long one. */
export interface Atom {
  /** UTF-16 offsets; whitespace lies between atoms, never in them. */
  start: number;
  end: number;
  tokens: number;
  /** How good a place to cut lies before it, see `LEVEL`. */
  level: number;
  /** Number of the code block it is in; -1 outside. */
  block: number;
}

/**
 * Words longer than this many UTF-16 units are cut: a tokenizer counts a word above its own limit (100 letters, Hangul
 * taken apart into three) as one unknown token, however long it is.
 */
const LONGEST_WORD = 32;
/** A grapheme cluster longer than this is cut between code points: nothing readable is as long. */
const LONGEST_GRAPHEME = 64;
const SENTENCE_END = /[.!?…。！？][)\]"'»”’*_`]*$/;
const FULL_WIDTH_END = /[。！？]/;
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Takes the lines of a text apart into atoms of at most `maxTokens` each (a single grapheme may be larger). */
export function atomsOf(
  text: string,
  lines: readonly Line[],
  countTokens: (text: string) => number,
  maxTokens: number,
): Atom[] {
  const count = remembered(countTokens);
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

/** Cuts a word that is too long, after a full stop of its script where there is one, else between graphemes. */
function* partsOf(
  text: string,
  start: number,
  end: number,
  count: (text: string) => number,
  maxTokens: number,
): Generator<{ start: number; end: number; tokens: number; level: number }> {
  let level: number = LEVEL.inWord;
  for (let from = start; from < end; ) {
    let to = end - from <= LONGEST_WORD ? end : graphemeEnd(text, from, from + LONGEST_WORD, end);
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

/** The last grapheme boundary at or before `wanted`, or the first one after `from`; after a full stop if one is near. */
function graphemeEnd(text: string, from: number, wanted: number, end: number): number {
  const window = text.slice(from, Math.min(end, Math.max(wanted, from) + LONGEST_GRAPHEME));
  let best = 0;
  let stop = 0;
  for (const { index, segment } of segmenter.segment(window)) {
    const after = index + segment.length;
    if (after > wanted - from && best > 0) break;
    best = after;
    if (FULL_WIDTH_END.test(segment)) stop = after;
    if (best >= wanted - from) break;
  }
  if (best > LONGEST_GRAPHEME)
    best = LONGEST_GRAPHEME - (isHighSurrogate(window, LONGEST_GRAPHEME - 1) ? 1 : 0);
  return from + (stop > 0 ? stop : best);
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}

function remembered(countTokens: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const tokens = countTokens(text);
    known.set(text, tokens);
    return tokens;
  };
}
