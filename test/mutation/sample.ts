/** Draws up to `count` items, in their order; the same seed draws the same ones. */
export function sample<T>(items: readonly T[], count: number, seed: number): T[] {
  const key = (index: number) => Bun.hash.xxHash32(`${seed} ${index}`);
  const drawn = items
    .map((_, index) => index)
    .sort((a, b) => key(a) - key(b) || a - b)
    .slice(0, count);
  const chosen = new Set(drawn);
  return items.filter((_, index) => chosen.has(index));
}
