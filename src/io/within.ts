/** Resolves to the work's result, or to null when it takes longer than `ms`. The work itself goes on. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T | null> {
  if (ms === Number.POSITIVE_INFINITY) return work;
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), Math.max(0, ms));
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
