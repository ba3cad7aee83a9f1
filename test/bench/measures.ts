/** Rank of the first right answer, 0 is best; `Infinity` when there is none. */
export function rankOf(sessions: readonly string[], right: ReadonlySet<string>): number {
  const rank = [...new Set(sessions)].findIndex((session) => right.has(session));
  return rank < 0 ? Infinity : rank;
}

export function hitAt(ranks: readonly number[], k: number): number {
  return share(ranks, (rank) => rank < k);
}

export function meanReciprocalRank(ranks: readonly number[]): number {
  return ranks.length === 0 ? 0 : ranks.reduce((sum, rank) => sum + 1 / (1 + rank), 0) / ranks.length;
}

export function share<T>(all: readonly T[], test: (one: T) => boolean): number {
  return all.length === 0 ? 0 : all.filter(test).length / all.length;
}

/** One line of a table: hit@1, 3, 5, 10 and MRR. */
export function rankLine(label: string, ranks: readonly number[]): string {
  const figures = [1, 3, 5, 10].map((k) => hitAt(ranks, k)).concat(meanReciprocalRank(ranks));
  return `${label.padEnd(34)} ${String(ranks.length).padStart(5)}  ${figures.map((n) => n.toFixed(3)).join("  ")}`;
}

export const RANK_HEAD = `${"".padEnd(34)}     n  hit@1  hit@3  hit@5  hit10  MRR`;

/** Everything is fitted on the sessions of half 0 and reported on those of half 1 as well. */
export function halfOf(session: string): 0 | 1 {
  return Bun.hash.xxHash32(session) % 2 === 0 ? 0 : 1;
}

/** Returns a share with its 95 % interval after Wilson. */
export function wilson(count: number, n: number): { share: number; low: number; high: number } {
  const z = 1.96;
  const share = count / n;
  const middle = (share + z ** 2 / (2 * n)) / (1 + z ** 2 / n);
  const half = (z / (1 + z ** 2 / n)) * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2));
  return { share, low: middle - half, high: middle + half };
}
