import type { Range } from "./parts.ts";
import { isSaid, LABELS, type TurnPart } from "./text.ts";

/** When a chunk of a turn gets its vector: those with 0 come before those with 1. Null: it gets none. */
export type VectorRank = 0 | 1 | null;

/**
 * A chunk that is to this share rows of tool calls or errors gets no vector: what they say are names, which words find
 * better.
 */
const ROWS_SHARE = 0.9;

/**
 * Ranks the chunks of a turn, which are in order. The prompt with what follows it comes first, and the end of what the
 * assistant said, which has the outcome.
 */
export function vectorRanks(parts: readonly TurnPart[], chunks: readonly Range[]): VectorRank[] {
  const said = parts.findLast(({ kind }) => isSaid(kind));
  const outcome = said === undefined ? -1 : chunks.findIndex(({ end }) => end >= said.end);
  return chunks.map((chunk, at) => {
    if (at === 0) return 0;
    if (isRows(parts, chunk)) return null;
    return at === outcome ? 0 : 1;
  });
}

function isRows(parts: readonly TurnPart[], { start, end }: Range): boolean {
  const rows = parts.filter(({ kind }) => kind === "tools" || kind === "errors");
  const inRows = rows.reduce((sum, part) => {
    const from = part.start - LABELS[part.kind].length;
    return sum + Math.max(0, Math.min(part.end, end) - Math.max(from, start));
  }, 0);
  return inRows >= ROWS_SHARE * (end - start);
}
