/** Maximum total occurrences to rank. At about 2 microseconds each, they take about 40 ms. */
const MAX_OCCURRENCES = 16_000;
/** Minimum number of words to search, however common they are. */
const MIN_WORDS = 4;

/** Tells whether the words together cannot exceed the limit in this many turns. */
export function mayRankAll(terms: readonly string[], turns: number): boolean {
  return turns * terms.length <= MAX_OCCURRENCES;
}

/** Drops the most common words if all words together occur in too many turns to rank. */
export function withoutCommonest(terms: readonly string[], counts: readonly number[]): string[] {
  const counted = terms.map((term, i) => ({ term, count: counts[i] ?? 0 })).sort((a, b) => a.count - b.count);
  let sum = 0;
  return counted.flatMap(({ term, count }, i) => {
    sum += count;
    return i < MIN_WORDS || sum <= MAX_OCCURRENCES ? [term] : [];
  });
}

/** Caches the results of `work` by key: chunks and turns are searched for the same words, whose counts are needed once. */
export function memoized<Key extends object, Result>(work: (key: Key) => Result): (key: Key) => Result {
  const done = new WeakMap<Key, Result>();
  return (key) => {
    const known = done.get(key);
    if (known !== undefined) return known;
    const result = work(key);
    done.set(key, result);
    return result;
  };
}
