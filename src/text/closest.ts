/** Counts the edits between two words: a character more, less or other, or two neighbours swapped (Damerau). */
function editDistance(a: string, b: string): number {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(substitution, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

/** Returns the candidate that a mistyped word most likely meant; null when none is near. */
export function closest(word: string, candidates: readonly string[]): string | null {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  const prefix = candidates.find((candidate) => word.length >= 3 && candidate.startsWith(word.toLowerCase()));
  if (best && best.distance <= Math.max(1, Math.floor(word.length / 3))) return best.candidate;
  return prefix ?? null;
}
