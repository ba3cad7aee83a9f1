import { lazily } from "../../lazily.ts";
import { pairStart } from "../../text/cut.ts";

/** A piece of text that is never split: a word, or a part of a very long word. */
export interface Atom {
  /** UTF-16 offsets. Whitespace lies between atoms, never inside them. */
  start: number;
  end: number;
  tokens: number;
  /** Quality of a cut before the atom; see `LEVEL`. */
  level: number;
  /** Number of its code block; -1 outside code blocks. */
  block: number;
  /** True for a whole word between ASCII blanks. The token counts of such words add up. */
  isWhole: boolean;
}

/**
 * Maximum word length in UTF-16 units; longer words are split. The tokenizer counts any word above its limit (100 letters, where
 * a Hangul syllable is three) as a single unknown token, so its count would be too low.
 */
const MAX_WORD_LENGTH = 32;
/** Maximum cluster length; longer ones are split between code points. No readable cluster is this long. */
const MAX_GRAPHEME_LENGTH = 64;
const SENTENCE_END = /[.!?…。！？][)\]"'»”’*_`]*$/;
const FULL_WIDTH_END = /[。！？]/;
/** Created on first use: only a very long word needs it, and creating it takes 1 to 2 ms of a search. */
const segmenter = lazily(() => new Intl.Segmenter(undefined, { granularity: "grapheme" }));

/** Splits the lines of a text into atoms of at most `maxTokens` each. A single grapheme may be larger. */
export function splitAtoms(
  text: string,
  lines: readonly Line[],
  countTokens: (text: string) => number,
  maxTokens: number,
): Atom[] {
  const count = memoized(countTokens);
  const atoms: Atom[] = [];
  for (const line of lines) {
    let level = line.level;
    for (let start = wordStart(text, line.start, line.end); start < line.end; ) {
      const end = wordEnd(text, start, line.end);
      addWord(atoms, { text, start, end, level, block: line.block }, count, maxTokens);
      level = endsSentence(text, start, end) ? LEVEL.sentence : LEVEL.word;
      start = wordStart(text, end, line.end);
    }
  }
  return atoms;
}

/** A word of a text, with the quality of a cut before it. */
interface Word {
  text: string;
  start: number;
  end: number;
  level: number;
  block: number;
}

function addWord(
  atoms: Atom[],
  { text, start, end, level, block }: Word,
  count: (text: string) => number,
  maxTokens: number,
): void {
  const tokens = end - start <= MAX_WORD_LENGTH ? count(text.slice(start, end)) : Number.POSITIVE_INFINITY;
  if (tokens <= maxTokens) {
    atoms.push({
      start,
      end,
      tokens,
      level,
      block,
      isWhole: isBlankAt(text, start - 1) && isBlankAt(text, end),
    });
    return;
  }
  for (const part of partsOf(text, start, end, count, maxTokens))
    atoms.push({ ...part, level: part.start === start ? level : part.level, block, isWhole: false });
}

function wordStart(text: string, from: number, limit: number): number {
  let at = from;
  while (at < limit && isBlank(text.charCodeAt(at))) at++;
  return at;
}

function wordEnd(text: string, from: number, limit: number): number {
  let at = from;
  while (at < limit && !isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** White space beyond ASCII. */
const WIDE_BLANK = /\s/;

function isBlank(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  return code >= 160 && (code < 256 ? code === 160 : WIDE_BLANK.test(String.fromCharCode(code)));
}

/** Tells whether the text ends at an offset, or has a blank there that every tokenizer treats as a separator. */
function isBlankAt(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return true;
  const code = text.charCodeAt(at);
  return code === 32 || code === 9 || code === 10 || code === 13;
}

const SENTENCE_MARKS = new Set(Array.from(".!?…。！？)]\"'»”’*_`", (mark) => mark.charCodeAt(0)));

function endsSentence(text: string, start: number, end: number): boolean {
  if (!SENTENCE_MARKS.has(text.charCodeAt(end - 1))) return false;
  return SENTENCE_END.test(text.slice(Math.max(start, end - 8), end));
}

/** Splits an overlong word: after a full-width full stop if there is one, else between graphemes. */
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
 * Returns the end of a part that starts at `from`: after the last full-width full stop up to `wanted`, else at the last grapheme
 * boundary up to `wanted`, else after the first grapheme.
 */
function graphemeEnd(text: string, from: number, wanted: number, end: number): number {
  const window = text.slice(from, Math.min(end, wanted + MAX_GRAPHEME_LENGTH));
  let best = 0;
  let stop = 0;
  for (const { index, segment } of segmenter().segment(window)) {
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

/** Quality of a cut before each kind of text; larger is better. */
export const LEVEL = {
  inWord: 0,
  word: 1,
  sentence: 2,
  line: 3,
  listItem: 4,
  paragraph: 5,
  heading: 6,
  section: 7,
} as const;

/** A line of a text, with the quality of a cut before it. */
interface Line {
  /** UTF-16 offsets. `end` is after the line feed. */
  start: number;
  end: number;
  level: number;
  /** Number of its code block, which includes the fences; -1 outside code blocks. */
  block: number;
}

const HEADING = /^ {0,3}#{1,6}\s/;
const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;
const FENCE = /^\s*(`{3,}|~{3,})/;
/** Characters of a line to examine for a fence, heading or list mark at its start. */
const LINE_HEAD = 80;

/** Splits a text into lines and rates a cut before each. `sections` contains the starts of sections. */
export function splitLines(text: string, sections: ReadonlySet<number>): Line[] {
  const lines: Line[] = [];
  let fence: string | null = null;
  let block = -1;
  let blocks = 0;
  let afterBlank = true;
  let afterHeading = false;
  let afterFence = false;
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf("\n", start);
    const end = feed < 0 ? text.length : feed + 1;
    const head = text.slice(start, Math.min(end, start + LINE_HEAD));
    const mark = FENCE.exec(head)?.[1];
    const opens = fence === null && mark !== undefined;
    const closes = fence !== null && mark?.startsWith(fence) === true;
    if (opens) {
      fence = mark;
      block = blocks++;
    }
    const inside = fence !== null && !opens;
    const level = inside
      ? codeLevel(afterBlank)
      : proseLevel(head, { isSection: sections.has(start), afterBlank, afterHeading, opens, afterFence });
    lines.push({ start, end, level, block });
    if (closes) {
      fence = null;
      block = -1;
    }
    afterFence = closes;
    afterBlank = isBlankHead(head, end - start);
    if (!afterBlank) afterHeading = !inside && HEADING.test(head);
    start = end;
  }
  return lines;
}

function codeLevel(afterBlank: boolean): number {
  return afterBlank ? LEVEL.line : LEVEL.sentence;
}

interface Before {
  isSection: boolean;
  afterBlank: boolean;
  afterHeading: boolean;
  afterFence: boolean;
  opens: boolean;
}

function proseLevel(head: string, before: Before): number {
  if (before.isSection) return LEVEL.section;
  if (HEADING.test(head)) return LEVEL.heading;
  if (before.afterHeading) return LEVEL.word;
  if (before.afterBlank || before.afterFence || before.opens) return LEVEL.paragraph;
  return LIST_ITEM.test(head) ? LEVEL.listItem : LEVEL.line;
}

function isBlankHead(head: string, length: number): boolean {
  return length <= LINE_HEAD && head.trim() === "";
}
