import type { Atom } from "./atoms.ts";
import type { ChunkLimits } from "./chunk.ts";
import { LEVEL } from "./levels.ts";

/** Running sums over atoms: `before[i]` is what all atoms before `i` cost, gaps included; `gap[i]` the gap before `i`. */
export interface Costs {
  before: Float64Array;
  gap: Float64Array;
  /** For each atom, the first atom of its code block and the one after its last; -1 outside. */
  blockStart: Int32Array;
  blockEnd: Int32Array;
}

/** A run of this many blank characters costs one token, so that a chunk's length is bounded too. */
const BLANKS_PER_TOKEN = 16;
/** A chunk is filled to this share before it may end at a better place. */
const LEAST_FILL = 0.5;
/** A chunk that is full is worth this many levels more than an empty one. */
const FILL_WEIGHT = 4;

/** Sums up what spans of atoms cost, in tokens. */
export function costs(atoms: readonly Atom[]): Costs {
  const before = new Float64Array(atoms.length + 1);
  const gap = new Float64Array(atoms.length);
  const blockStart = new Int32Array(atoms.length).fill(-1);
  const blockEnd = new Int32Array(atoms.length).fill(-1);
  atoms.forEach((atom, i) => {
    const previous = atoms[i - 1];
    gap[i] = previous === undefined ? 0 : Math.floor((atom.start - previous.end) / BLANKS_PER_TOKEN);
    before[i + 1] = at(before, i) + atom.tokens + at(gap, i);
    if (atom.block >= 0) blockStart[i] = previous?.block === atom.block ? at(blockStart, i - 1) : i;
  });
  for (let i = atoms.length - 1; i >= 0; i--) {
    if (at(blockStart, i) < 0) continue;
    blockEnd[i] = i + 1 < atoms.length && blockStart[i + 1] === blockStart[i] ? at(blockEnd, i + 1) : i + 1;
  }
  return { before, gap, blockStart, blockEnd };
}

/** Tokens of the span from atom `from` up to and without atom `end`. */
function span(sums: Costs, from: number, end: number): number {
  return from >= end ? 0 : at(sums.before, end) - at(sums.before, from) - at(sums.gap, from);
}

/** Where the chunk that starts at `from` ends: after `covered`, at the best place within the limit. */
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
    if (fill < LEAST_FILL && end < reach) break;
    const kept =
      at(sums.blockStart, end) >= 0 && at(sums.blockStart, end) < end && fitsWhole(sums, end, limits);
    const worth = (kept ? 0 : (atoms[end]?.level ?? LEVEL.inWord)) + FILL_WEIGHT * fill;
    if (worth > bestWorth) {
      best = end;
      bestWorth = worth;
    }
  }
  return best;
}

/** Where the chunk after the first `covered` atoms starts: a little earlier, at a sentence or line where there is one. */
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
