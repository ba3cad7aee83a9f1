import type { Atom } from "./atoms.ts";
import type { ChunkLimits } from "./chunk.ts";
import { LEVEL } from "./levels.ts";

/** Prefix sums over the token counts of atoms, so that the cost of any span takes constant time. */
export interface Costs {
  /** `before[i]` is the cost of all atoms before `i`, gaps included. */
  before: Float64Array;
  /** `split[i]` is the number of atoms before `i` that are not whole words. */
  split: Int32Array;
  /** `gap[i]` is the cost of the whitespace before atom `i`. */
  gap: Float64Array;
  /** For each atom, the first atom of its code block; -1 outside code. */
  blockStart: Int32Array;
  /** For each atom of a code block, the atom after the block's last. */
  blockEnd: Int32Array;
}

/** Whitespace costs one token per this many characters, which bounds the length of a chunk. */
const BLANKS_PER_TOKEN = 16;
/** A chunk is at least this full, unless the limit ends it earlier. */
const MIN_FILL = 0.5;
/** How many levels a full chunk is worth more than an empty one. */
const FILL_WEIGHT = 4;

/** Prepares the costs of spans of atoms, in tokens. */
export function costs(atoms: readonly Atom[]): Costs {
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

/** Tokens of the atoms from `from` up to, but not including, `end`, which is larger. */
function span(sums: Costs, from: number, end: number): number {
  return at(sums.before, end) - at(sums.before, from) - at(sums.gap, from);
}

/** Whether the text of a span is sure to fit: it has only whole words, whose tokens add up. */
export function surelyFits(sums: Costs, from: number, end: number, limits: ChunkLimits): boolean {
  if (!limits.wordsAddUp) return false;
  return at(sums.split, end) === at(sums.split, from) && span(sums, from, end) <= limits.maxTokens;
}

/** Chooses the end of the chunk that starts at `from`: the best place to cut after `covered` and within the limit. */
export function chooseEnd(
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
 * Chooses the start of the chunk that follows the first `covered` atoms: earlier by the overlap, at the start of a
 * sentence or line if there is one.
 */
export function chooseStart(
  atoms: readonly Atom[],
  sums: Costs,
  covered: number,
  limits: ChunkLimits,
): number {
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
