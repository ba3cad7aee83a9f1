import type { Embedder, ModelInfo } from "../../src/embed/embedder.ts";

const WORD = /[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu;

/**
 * A cheap embedder for tests: each word adds to one of the vector's places, so that texts that share words are
 * near each other, and equal texts equal. A token is a word or a sign.
 */
export function createHashEmbedder(
  model: ModelInfo = { id: "hash-test", dimensions: 384, maxTokens: 512 },
): Embedder {
  const wordsOf = (text: string) => text.toLowerCase().match(WORD) ?? [];
  const embed = async (text: string) => vectorOf(wordsOf(text).slice(0, model.maxTokens), model.dimensions);
  return {
    model,
    runtime: "native",
    tokenizer: { count: (text) => wordsOf(text).length },
    embed,
    async *embedMany(texts) {
      for (const [index, text] of texts.entries()) yield { index, vector: await embed(text) };
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

function vectorOf(words: readonly string[], dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  vector[0] = 0.01;
  for (const word of words) {
    const hash = Bun.hash.xxHash32(word);
    const place = hash % dimensions;
    vector[place] = (vector[place] ?? 0) + (hash & 0x80000000 ? -1 : 1);
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
