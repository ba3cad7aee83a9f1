/** Parts rows into about equal folds, the largest group first into the smallest fold. A group stays together. */
export function foldsOf<T extends { group: string }>(rows: readonly T[], count: number): T[][] {
  const folds = Array.from({ length: count }, (): T[] => []);
  const groups = [...Map.groupBy(rows, ({ group }) => group).values()].sort((a, b) => b.length - a.length);
  for (const group of groups) {
    const smallest = folds.reduce((least, fold) => (fold.length < least.length ? fold : least));
    smallest.push(...group);
  }
  return folds;
}
