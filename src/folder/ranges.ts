/** Pairs of a first and a last number, in order, which neither overlap nor touch. */
export type Ranges = readonly (readonly [first: number, last: number])[];

/** Whether all numbers from `first` to `last` are in the ranges. */
export function covers(ranges: Ranges, first: number, last: number): boolean {
  return ranges.some(([from, to]) => from <= first && last <= to);
}

/** Adds the numbers from `first` to `last`. */
export function withRange(ranges: Ranges, first: number, last: number): [number, number][] {
  const all = [...ranges, [first, last] as const].sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [from, to] of all) {
    const before = joined.at(-1);
    if (before !== undefined && from <= before[1] + 1) before[1] = Math.max(before[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
