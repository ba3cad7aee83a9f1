import type { Chunk } from "../../domain.ts";
import { indexedParts } from "../../text/keywords.ts";
import { labelStarts } from "../../turn/parts.ts";
import type { TurnText } from "../../turn/text.ts";
import { type Atom, LEVEL, splitAtoms, splitLines } from "./atoms.ts";

/**
 * Splits a turn's text into chunks of at most `maxTokens` at the best places that its Markdown offers.
 *
 * Each chunk is an exact substring. Together the chunks contain all indexed text except blanks, and neighbours overlap by about
 * `overlapTokens`. Appending text leaves the earlier chunks unchanged. A single grapheme above the limit stays whole. Takes time
 * linear in the length of the text.
 */
export const chunkText: ChunkText = (turn, countTokens, limits) => {
  const labels = labelStarts(turn);
  const chunks = indexedParts(turn.text).flatMap(({ start, text }) => {
    const inPiece = new Set([...labels].map((label) => label - start));
    return cut(text, inPiece, countTokens, limits).map((chunk) => moved(chunk, start));
  });
  return chunks.map((chunk, chunkIndex) => ({ ...chunk, chunkIndex }));
};

function moved(chunk: Chunk, by: number): Chunk {
  return { ...chunk, start: chunk.start + by, end: chunk.end + by };
}

function cut(
  text: string,
  labels: ReadonlySet<number>,
  countTokens: (text: string) => number,
  limits: ChunkLimits,
): Chunk[] {
  const lines = splitLines(text, labels);
  const atoms = splitAtoms(text, lines, countTokens, Math.max(1, Math.floor(limits.maxTokens / 4)));
  const sums = costs(atoms);
  const chunks: Chunk[] = [];
  let covered = 0;
  while (covered < atoms.length) {
    const from = covered === 0 ? 0 : chooseStart(atoms, sums, covered, limits);
    const end = chooseEnd(atoms, sums, from, covered, limits);
    const isTooLong = (content: string) => countTokens(content) > limits.maxTokens;
    const until = surelyFits(sums, from, end, limits)
      ? { from, end }
      : fit(text, atoms, { from, covered, end }, isTooLong);
    chunks.push(chunkOf(text, atoms, until.from, until.end, chunks.length));
    covered = until.end;
  }
  return chunks;
}

/** The atoms of a chunk. Those before `covered` are also in the previous chunk. */
interface Span {
  from: number;
  covered: number;
  end: number;
}

/**
 * Shrinks a span until its text fits, because the whole text may have more tokens than the sum of its atoms. Keeps at least one
 * atom from `covered` on.
 */
function fit(
  text: string,
  atoms: readonly Atom[],
  { from, covered, end }: Span,
  isTooLong: (content: string) => boolean,
): { from: number; end: number } {
  let start = from;
  let last = end;
  while (start < covered || last > covered + 1) {
    const { content } = chunkOf(text, atoms, start, last, 0);
    if (!isTooLong(content)) break;
    if (start < covered) start = covered;
    else last = covered + Math.max(1, Math.floor((last - covered) * 0.9));
  }
  return { from: start, end: last };
}

function chunkOf(text: string, atoms: readonly Atom[], from: number, end: number, chunkIndex: number): Chunk {
  const start = atoms[from]?.start ?? 0;
  const stop = atoms[end - 1]?.end ?? start;
  return { chunkIndex, content: text.slice(start, stop), start, end: stop };
}

/** Prefix sums over the token counts of atoms, which give the cost of any span in constant time. */
interface Costs {
  /** `before[i]` is the cost of all atoms before `i`, gaps included. */
  before: Float64Array;
  /** `split[i]` is the number of atoms before `i` that are not whole words. */
  split: Int32Array;
  /** `gap[i]` is the cost of the whitespace before atom `i`. */
  gap: Float64Array;
  /** For each atom, the first atom of its code block; -1 outside code. */
  blockStart: Int32Array;
  /** For each atom of a code block, the atom after the block. */
  blockEnd: Int32Array;
}

/** White space counts as one token per this many characters, which bounds the length of a chunk. */
const BLANKS_PER_TOKEN = 16;
/** Minimum share of the limit that a chunk fills, unless the limit ends it earlier. */
const MIN_FILL = 0.5;
/** Number of levels by which a full chunk outweighs an empty one. */
const FILL_WEIGHT = 4;

/** Computes the costs of spans of atoms, in tokens. */
function costs(atoms: readonly Atom[]): Costs {
  const before = new Float64Array(atoms.length + 1);
  const split = new Int32Array(atoms.length + 1);
  const gap = new Float64Array(atoms.length);
  const blockStart = new Int32Array(atoms.length).fill(-1);
  const blockEnd = new Int32Array(atoms.length);
  atoms.forEach((atom, i) => {
    const previous = atoms[i - 1];
    gap[i] = Math.floor((atom.start - (previous?.end ?? atom.start)) / BLANKS_PER_TOKEN);
    split[i + 1] = at(split, i) + (atom.isWhole ? 0 : 1);
    before[i + 1] = at(before, i) + atom.tokens + at(gap, i);
    if (atom.block >= 0) blockStart[i] = previous?.block === atom.block ? at(blockStart, i - 1) : i;
  });
  for (let i = atoms.length - 1; i >= 0; i--) {
    if (at(blockStart, i) < 0) continue;
    blockEnd[i] = i + 1 < atoms.length && blockStart[i + 1] === blockStart[i] ? at(blockEnd, i + 1) : i + 1;
  }
  return { before, split, gap, blockStart, blockEnd };
}

/** Returns the tokens of the atoms from `from` up to, but not including, `end`. */
function span(sums: Costs, from: number, end: number): number {
  return at(sums.before, end) - at(sums.before, from) - at(sums.gap, from);
}

/** Tells whether a span surely fits without counting: it has only whole words, whose tokens add up. */
function surelyFits(sums: Costs, from: number, end: number, limits: ChunkLimits): boolean {
  if (!limits.wordsAddUp) return false;
  return at(sums.split, end) === at(sums.split, from) && span(sums, from, end) <= limits.maxTokens;
}

/** Chooses the end of the chunk that starts at `from`: the best cut after `covered` within the limit. */
function chooseEnd(
  atoms: readonly Atom[],
  sums: Costs,
  from: number,
  covered: number,
  limits: ChunkLimits,
): number {
  let reach = covered + 1;
  while (reach < atoms.length && span(sums, from, reach + 1) <= limits.maxTokens) reach++;
  if (reach >= atoms.length) return atoms.length;
  const block = at(sums.blockStart, reach);
  if (block > covered && block < reach && fitsWhole(sums, reach, limits)) reach = block;
  let best = reach;
  let bestWorth = -1;
  for (let end = reach; end > covered; end--) {
    const fill = span(sums, from, end) / limits.maxTokens;
    if (fill < MIN_FILL) break;
    const worth = (atoms[end]?.level ?? LEVEL.inWord) + FILL_WEIGHT * fill;
    if (worth > bestWorth) {
      best = end;
      bestWorth = worth;
    }
  }
  return best;
}

/**
 * Chooses the start of the chunk after the first `covered` atoms: earlier by the overlap, at the start of a sentence or line if
 * possible.
 */
function chooseStart(atoms: readonly Atom[], sums: Costs, covered: number, limits: ChunkLimits): number {
  let room = limits.overlapTokens;
  if (at(sums.blockStart, covered) === covered && fitsWhole(sums, covered, limits)) {
    room = Math.min(room, limits.maxTokens - span(sums, covered, at(sums.blockEnd, covered)));
  }
  let from = covered;
  let best = covered;
  let bestLevel: number = -1;
  while (from > 0 && span(sums, from - 1, covered) <= room) {
    from--;
    const level = Math.min(atoms[from]?.level ?? LEVEL.inWord, LEVEL.line);
    if (level >= bestLevel) {
      best = from;
      bestLevel = level;
    }
  }
  const start = bestLevel >= LEVEL.sentence ? best : from;
  return span(sums, start, covered + 1) <= limits.maxTokens ? start : covered;
}

function fitsWhole(sums: Costs, index: number, limits: ChunkLimits): boolean {
  return span(sums, at(sums.blockStart, index), at(sums.blockEnd, index)) <= limits.maxTokens;
}

function at(values: Float64Array | Int32Array, index: number): number {
  return values[index] ?? 0;
}

/** Limits of a chunk in the model's tokens, without special tokens. */
interface ChunkLimits {
  maxTokens: number;
  overlapTokens: number;
  /** True when a text's tokens are the sum of its words' tokens, as with WordPiece. Then less needs counting. */
  wordsAddUp?: boolean;
}

/**
 * Limits for stored turns. The built-in model accepts 512 tokens, but finds shorter texts better. The overlap keeps a sentence at
 * a boundary together with its context.
 */
export const CHUNK_LIMITS: ChunkLimits = { maxTokens: 256, overlapTokens: 40, wordsAddUp: true };

/** Splits a turn's text into chunks. `countTokens` counts with the embedder's tokenizer. */
type ChunkText = (turn: TurnText, countTokens: (text: string) => number, limits: ChunkLimits) => Chunk[];
