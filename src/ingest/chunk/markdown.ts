import type { Chunk } from "../../domain.ts";
import { indexedParts } from "../../text/keywords.ts";
import { labelStarts } from "../../turn/parts.ts";
import { type Atom, atomsOf } from "./atoms.ts";
import type { ChunkLimits, ChunkText } from "./chunk.ts";
import { chooseEnd, chooseStart, costs, surelyFits } from "./cut.ts";
import { linesOf } from "./levels.ts";

/**
 * Cuts a turn's text into chunks of at most `maxTokens` at the best places that its Markdown offers.
 *
 * Each chunk is an exact substring. Together the chunks hold all non-blank text that is indexed, and neighbours overlap by about
 * `overlapTokens`. When text is appended, the earlier chunks stay the same. A single grapheme larger than the limit
 * stays whole. Takes time linear in the length of the text, whatever the text is.
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
  const lines = linesOf(text, labels);
  const atoms = atomsOf(text, lines, countTokens, Math.max(1, Math.floor(limits.maxTokens / 4)));
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
 * Shrinks a span until its text fits: tokens of the whole text can exceed the sum of its atoms' tokens. Keeps at least
 * one atom from `covered` on.
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
