/** At most this share of the values on a side counts as outliers, and always one. */
const SHARE = 0.02;
/** Fewer values have none: nothing is usual among them. */
const MIN_VALUES = 6;

/**
 * Returns the range of the values without outliers: those few on a side that are further from the rest than `far` times the
 * width of the rest. Null without values.
 */
export function usualRange(values: readonly number[], far = 1): [min: number, max: number] | null {
  const up = values.toSorted((a, b) => a - b);
  const most = up.length < MIN_VALUES ? 0 : Math.max(1, Math.floor(up.length * SHARE));
  const width = Math.abs((up.at(-1 - most) ?? 0) - (up[most] ?? 0));
  const [min, max] = [up, up.toReversed()].map((sorted) => firstUsual(sorted, most, width * far));
  return min === undefined || max === undefined ? null : [min, max];
}

/** Returns the first value after the gaps that are wider than all the rest. */
function firstUsual(sorted: readonly number[], most: number, width: number): number | undefined {
  for (let count = most; count > 0; count--) {
    const gap = Math.abs((sorted[count] ?? 0) - (sorted[count - 1] ?? 0));
    if (gap > width) return sorted[count];
  }
  return sorted[0];
}
