/** The index of a text and its vector. */
export interface Embedded {
  index: number;
  vector: Float32Array;
}

/**
 * Runs `embed` on all texts, `width` at a time, and yields each vector as it is done. Starts with the longest texts, so
 * that no thread ends with a long one. When the consumer stops, starts nothing new.
 */
export async function* embedInParallel(
  texts: readonly string[],
  width: number,
  embed: (text: string) => Promise<Float32Array>,
): AsyncGenerator<Embedded> {
  const order = texts
    .map((_, index) => index)
    .sort((a, b) => (texts[b]?.length ?? 0) - (texts[a]?.length ?? 0));
  const running = new Map<number, Promise<Embedded>>();
  try {
    for (let next = 0; next < order.length || running.size > 0; ) {
      while (next < order.length && running.size < width) {
        const index = order[next++] ?? 0;
        running.set(
          index,
          embed(texts[index] ?? "").then((vector) => ({ index, vector })),
        );
      }
      const done = await Promise.race(running.values());
      running.delete(done.index);
      yield done;
    }
  } finally {
    await Promise.allSettled(running.values());
  }
}
