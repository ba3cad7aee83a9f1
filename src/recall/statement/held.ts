import { UNSPACED } from "../../text/scripts.ts";
/** The words of a paragraph as numbers, so that an index of them contains no text. */
export type Paragraph = readonly number[];

/** Minimum share of a statement's words in a paragraph, in order. */
const HELD_SHARE = 0.9;
/**
 * Maximum length of the matching span, as a share of the statement plus some words, because a long paragraph contains any words
 * by chance.
 */
const SPAN = { share: 1.4, more: 2 } as const;
/** Number of words before a match that may negate it, as in "It never does". */
const NEGATING = 2;
/** Minimum words of a statement; fewer occur in many paragraphs by chance. */
const MIN_WORDS = 3;
/** Maximum words to compare; longer texts are compared by their first ones. */
const MAX_WORDS = { statement: 200, paragraph: 1_000 } as const;
/** In scripts without spaces, letters count as words. */
const WORD = new RegExp(
  `[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_])+(?:'(?![${UNSPACED}])\\p{L}+)*`,
  "gu",
);
/** Ends of paragraphs: an empty line, and the start of a heading, a list item, a table row or a quotation. */
const PARAGRAPHS = /\n\s*\n|\n(?=\s*(?:[-*+•]\s|\d+[.)]\s|#{1,6}\s|\||>|```|~~~))/;
/** Words that turn a sentence into its opposite. */
const NEGATIONS = new Set(
  (
    "no not never none nothing neither nor without cannot unless except instead nicht kein keine nie ne pas jamais nunca " +
    "don't doesn't didn't can't couldn't won't wouldn't isn't aren't wasn't weren't shouldn't mustn't needn't haven't hasn't hadn't"
  )
    .split(" ")
    .map(numberOf),
);

/** Splits Markdown instructions into paragraphs; list items and headings count as such. */
export function splitParagraphs(text: string): Paragraph[] {
  return text
    .replace(/\r\n?/g, "\n")
    .split(PARAGRAPHS)
    .map((paragraph) => wordsOf(paragraph).slice(0, MAX_WORDS.paragraph).map(numberOf))
    .filter(({ length }) => length >= MIN_WORDS);
}

/**
 * Tells whether a paragraph contains a statement: nine tenths of its words, in order and close together, including every number,
 * and with the same number of negations.
 */
export function isContained(statement: string, paragraphs: readonly Paragraph[]): boolean {
  const words = wordsOf(statement).slice(0, MAX_WORDS.statement);
  if (words.length < MIN_WORDS) return false;
  const wanted: Wanted = {
    words: words.map(numberOf),
    isNumber: words.map((word) => /\p{N}/u.test(word)),
    least: Math.ceil(HELD_SHARE * words.length),
  };
  return paragraphs.some(
    (paragraph) =>
      hasMostOf(wanted, paragraph) &&
      spansOf(wanted, paragraph).some(
        ({ span, before }) => hasMostOf(wanted, span) && says(wanted, span, before),
      ),
  );
}

interface Span {
  span: Paragraph;
  /** The preceding words, which may negate it. */
  before: Paragraph;
}

/** Returns the parts of a paragraph that begin with a word of the statement and are hardly longer than it. */
function spansOf({ words }: Wanted, paragraph: Paragraph): Span[] {
  const known = new Set(words);
  const length = Math.floor(SPAN.share * words.length) + SPAN.more;
  return paragraph.flatMap((word, at) =>
    known.has(word)
      ? [{ span: paragraph.slice(at, at + length), before: paragraph.slice(Math.max(0, at - NEGATING), at) }]
      : [],
  );
}

interface Wanted {
  words: readonly number[];
  isNumber: readonly boolean[];
  least: number;
}

/** Tells whether a paragraph has enough of the words in any order, a quick check. */
function hasMostOf({ words, least }: Wanted, paragraph: Paragraph): boolean {
  if (paragraph.length < least) return false;
  const known = new Set(paragraph);
  return words.filter((word) => known.has(word)).length >= least;
}

function says({ words, isNumber, least }: Wanted, span: Paragraph, before: Paragraph): boolean {
  const pairs = inOrder(words, span);
  if (pairs.size < least || isNumber.some((isNumber, at) => isNumber && !pairs.has(at))) return false;
  const said = [...before, ...span.slice(0, Math.max(...pairs.values()) + 1)];
  return negationsIn(said) === negationsIn(words);
}

/** Matches as many words of `a` as possible with the same words of `b`, in order: the longest common subsequence. */
function inOrder(a: readonly number[], b: readonly number[]): Map<number, number> {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs = new Map<number, number>();
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.set(i++, j++);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

function negationsIn(words: readonly number[]): number {
  return words.filter((word) => NEGATIONS.has(word)).length;
}

function wordsOf(text: string): string[] {
  return text.replaceAll("’", "'").toLowerCase().match(WORD) ?? [];
}

function numberOf(word: string): number {
  return Bun.hash.xxHash32(word);
}
