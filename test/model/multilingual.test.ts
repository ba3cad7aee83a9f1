import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { MULTILINGUAL } from "../../src/constants.ts";
import type { IdTokenizer } from "../../src/embed/embedder.ts";
import { openModelArchive } from "../../src/embed/models/archive.ts";
import { installModel, probeModel } from "../../src/embed/models/install.ts";
import type { InstalledModel } from "../../src/embed/models/manifest.ts";
import { openModelTokenizer, openTokenizerOf } from "../../src/embed/models/open.ts";
import { openEmbedder } from "../../src/embed/open.ts";
import { testAssets } from "../support/assets.ts";
import { fcOptions } from "../support/fast-check.ts";
import {
  composedTexts,
  enginePrints,
  engineVectors,
  multilingualTexts,
  tokenPrint,
} from "../support/multilingual-texts.ts";

/**
 * Tests of the model itself. They run where its archive lies in `dist/release`, or where `MULTILINGUAL_ARCHIVE` says:
 * `bun run make:model && bun test test/model/multilingual.test.ts`.
 */
const ARCHIVE = resolve(process.env.MULTILINGUAL_ARCHIVE ?? `dist/release/${MULTILINGUAL.archive}`);
const NO_LIMIT = 1_000_000;
const warn = (message: string) => {
  throw new Error(message);
};

describe.skipIf(!existsSync(ARCHIVE))("the multilingual model", () => {
  let root: string;
  let model: InstalledModel;
  let library: IdTokenizer;
  let ours: IdTokenizer;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "mementor-multilingual-"));
    const archive = await openModelArchive(ARCHIVE);
    const files = testAssets();
    model = await installModel({
      library: join(root, "library"),
      name: archive.name,
      override: {},
      retrieve: async (staging) => {
        await archive.write(staging);
        return { kind: "directory", path: ARCHIVE };
      },
      probe: (candidate) => probeModel(candidate, { files, runtime: "native", warn }),
      now: "2026-05-01T10:00:00.000Z",
    });
    const json = (name: string) => Bun.file(join(model.directory, name)).json();
    library = openModelTokenizer(await json("tokenizer.json"), await json("tokenizer_config.json"), "");
    ours = await openTokenizerOf({ ...model, queryPrefix: "" }, files, "query");
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  test("has the id that the calibration is for", () => {
    expect({ id: model.id, tokenizer: model.tokenizer }).toEqual({
      id: MULTILINGUAL.id,
      tokenizer: "unigram",
    });
  });

  const tokensOf = (text: string) => ours.encode(text, NO_LIMIT).slice(1, -1);

  test("tokens of 2,000 composed texts equal those of the package's engine and of the library", () => {
    const texts = composedTexts();
    expect(texts.map((text) => tokenPrint(tokensOf(text)))).toEqual(enginePrints());
    expect(texts.map((text) => ours.encode(text, NO_LIMIT))).toEqual(
      texts.map((text) => library.encode(text, NO_LIMIT)),
    );
    expect(texts.map((text) => ours.count(text))).toEqual(texts.map((text) => tokensOf(text).length));
  });

  test("any text becomes as many likely tokens as the library finds", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.string({ unit: "grapheme", maxLength: 60 }),
    );
    fc.assert(
      fc.property(text, (sample) => {
        expect(ours.encode(sample, NO_LIMIT)).toEqual(library.encode(sample, NO_LIMIT));
      }),
      fcOptions(),
    );
  });

  test.each(["native", "wasm"] as const)("vectors are the engine's with the %s runtime", async (runtime) => {
    const embedder = await openEmbedder({ files: testAssets(), model, runtime, purpose: "query", warn });
    const expected = engineVectors();
    const cosines: number[] = [];
    for (const [i, [, text]] of multilingualTexts().entries())
      cosines.push(cosine(await embedder.embed(text), expected[i] ?? new Int8Array()));
    await embedder.close();
    expect(Math.min(...cosines)).toBeGreaterThan(0.999);
  });
});

function cosine(a: Float32Array, b: Int8Array): number {
  const length = (of: Iterable<number>) => Math.hypot(...of);
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0) / (length(a) * length(b));
}
