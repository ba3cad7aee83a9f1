import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Embedder } from "../../src/embed/embedder.ts";

interface References {
  cases: { text: string; tokens: number; vector: number[] }[];
}

const LEAST_COSINE = 0.975;
const MEAN_COSINE = 0.99;
const PATH_TOLERANCE = 0.02;
const BASE_PATH = "crates/mementor-lib/src/pipeline/ingest.rs";

/** Distances to `BASE_PATH` with int8 weights. */
const PATH_DISTANCES: [string, number][] = [
  ["crates/mementor-lib/src/pipeline/chunker.rs", 0.08],
  ["crates/mementor-lib/src/pipeline/query.rs", 0.113],
  ["crates/mementor-lib/src/db/queries.rs", 0.115],
  ["crates/mementor-cli/src/hooks/prompt.rs", 0.144],
  ["vendor/sqlite-vector/sqlite-vector.c", 0.32],
  ["models/bge-small-en-v1.5/model.onnx", 0.361],
];

const HARD_TEXTS: [string, string][] = [
  ["empty", ""],
  ["blank", " \n\t "],
  ["one word of a megabyte", "x".repeat(1_000_000)],
  ["emoji", "👩‍👩‍👧‍👦 🎉🎉 ok 🇩🇪"],
  ["null bytes", "a\0b\0\0c"],
  ["lone surrogates", "a\ud800b\udc00 \udfff"],
  ["special tokens as text", "[CLS] hello [SEP] [MASK] [PAD] [UNK]"],
  ["Japanese", "認証の不具合を直してください。"],
  ["accents", "Ünïcödé déjà vu İstanbul ΌΣΟΣ"],
];

/** What every embedder of the built-in model promises, over whichever runtime. */
export function describeEmbedder(name: string, open: () => Promise<Embedder>): void {
  describe(name, () => {
    const embedder = describeAnyEmbedder(open);

    test("comes close to the full-precision model on the reference texts", async () => {
      const path = join(import.meta.dirname, "../../fixtures/embed/reference-vectors.json");
      const { cases }: References = await Bun.file(path).json();
      const cosines = [];
      for (const { text, vector } of cases) cosines.push(cosine(await embedder().embed(text), vector));
      expect(cosines.length).toBe(22);
      expect(Math.min(...cosines)).toBeGreaterThanOrEqual(LEAST_COSINE);
      expect(cosines.reduce((sum, value) => sum + value, 0) / cosines.length).toBeGreaterThanOrEqual(
        MEAN_COSINE,
      );
    }, 600_000);

    test("counts the tokens of the reference texts", async () => {
      const path = join(import.meta.dirname, "../../fixtures/embed/reference-vectors.json");
      const { cases }: References = await Bun.file(path).json();
      const { tokenizer, model } = embedder();
      const counted = cases.map(({ text }) => Math.min(tokenizer.count(text) + 2, model.maxTokens));
      expect(counted).toEqual(cases.map(({ tokens }) => tokens));
    });

    test.each(PATH_DISTANCES)("knows how far a path is from another: %s", async (path, distance) => {
      const found = 1 - cosine(await embedder().embed(BASE_PATH), await embedder().embed(path));
      expect(Math.abs(found - distance)).toBeLessThanOrEqual(PATH_TOLERANCE);
    });
  });
}

/** What every embedder of any model promises; opens one for the tests around it, and returns how to get at it. */
export function describeAnyEmbedder(open: () => Promise<Embedder>): () => Embedder {
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await open();
  }, 600_000);
  afterAll(() => embedder.close());

  test.each(HARD_TEXTS)("embeds a hard text: %s", async (_, text) => {
    const vector = await embedder.embed(text);
    expect(vector.length).toBe(embedder.model.dimensions);
    expect(vector.every(Number.isFinite)).toBe(true);
    expect(cosine(vector, vector)).toBeCloseTo(1, 5);
  });

  test("gives equal vectors for equal texts, whatever came before", async () => {
    const first = await embedder.embed("How do I fix the CI?");
    await embedder.embed("a text of another length ".repeat(30));
    await embedder.embed("");
    Bun.gc(true);
    expect(await embedder.embed("How do I fix the CI?")).toEqual(first);
  });

  test("cuts at the model's limit: what comes after changes nothing", async () => {
    const words = (count: number) => "word ".repeat(count);
    const whole = await embedder.embed(words(embedder.model.maxTokens - 2));
    expect(whole.every(Number.isFinite)).toBe(true);
    expect(await embedder.embed(words(10_000))).toEqual(whole);
  });

  test("embeds many as it embeds one", async () => {
    const texts = [...HARD_TEXTS.map(([, text]) => text.slice(0, 400)), BASE_PATH, "again", "again"];
    const many = new Map<number, Float32Array>();
    for await (const { index, vector } of embedder.embedMany(texts)) many.set(index, vector);
    expect([...many.keys()].sort((a, b) => a - b)).toEqual(texts.map((_, index) => index));
    for (const [index, text] of texts.entries()) expect(many.get(index)).toEqual(await embedder.embed(text));
  }, 600_000);

  test("embeds many on half of the cores as on all", async () => {
    const texts = Array.from({ length: 14 }, (_, index) => `text number ${index}`);
    const ofAll = new Map<number, Float32Array>();
    const ofHalf = new Map<number, Float32Array>();
    for await (const { index, vector } of embedder.embedMany(texts, { isSparing: true }))
      ofHalf.set(index, vector);
    for await (const { index, vector } of embedder.embedMany(texts)) ofAll.set(index, vector);
    expect(ofHalf.size).toBe(14);
    for (const [index, vector] of ofAll) expect(ofHalf.get(index)).toEqual(vector);
  }, 600_000);

  test("stops when the consumer stops, and works on", async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `text number ${index}`);
    let seen = 0;
    for await (const _ of embedder.embedMany(texts)) if (++seen === 3) break;
    expect(seen).toBe(3);
    expect((await embedder.embed("still here")).length).toBe(embedder.model.dimensions);
  }, 600_000);

  return () => embedder;
}

export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  return dot / Math.sqrt(aa * bb);
}
