import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, statSync, truncateSync } from "node:fs";
import { mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder } from "../../src/embed/embedder.ts";
import { copyModel, nameOfDirectory } from "../../src/embed/models/choose.ts";
import { changedFiles, installModel, probeModel } from "../../src/embed/models/install.ts";
import { type InstalledModel, installedModel, installedModels } from "../../src/embed/models/manifest.ts";
import type { SettingsOverride } from "../../src/embed/models/settings.ts";
import { openEmbedder } from "../../src/embed/open.ts";
import { testAssets } from "../support/assets.ts";
import { type TinyModel, writeTinyModel } from "../support/tiny-model.ts";
import { cosine, describeAnyEmbedder } from "./contract.ts";

const NOW = "2026-05-01T10:00:00.000Z";
const warn = (message: string) => {
  throw new Error(message);
};

let root: string;
let library: string;
let made = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "mementor-models-"));
  library = join(root, "library");
});
afterAll(() => rm(root, { recursive: true, force: true }));

const write = (options: TinyModel = {}) => writeTinyModel(join(root, `source-${made++}`, "tiny"), options);

function install(
  from: string,
  override: SettingsOverride = {},
  runtime: "native" | "wasm" = "native",
): Promise<InstalledModel> {
  return installModel({
    library,
    name: nameOfDirectory(from),
    override,
    retrieve: async (staging) => {
      copyModel(from, staging);
      return { kind: "directory", path: from };
    },
    probe: (model) => probeModel(model, { files: testAssets(), runtime, warn }),
    now: NOW,
  });
}

const open = (
  model: InstalledModel,
  runtime: "native" | "wasm" = "native",
  purpose: "prompt" | "ingest" = "prompt",
): Promise<Embedder> => openEmbedder({ files: testAssets(), model, runtime, purpose, warn });

describe("a model that tests make, over the native runtime", () => {
  describeAnyEmbedder(async () => open(await install(await write())));
});

describe("a model that tests make, over the native runtime, for an ingest", () => {
  describeAnyEmbedder(async () => open(await install(await write()), "native", "ingest"));
});

describe("a model that tests make, over WebAssembly", () => {
  describeAnyEmbedder(async () => open(await install(await write()), "wasm", "ingest"));
});

async function vectorOf(model: InstalledModel, text: string, runtime: "native" | "wasm" = "native") {
  const embedder = await open(model, runtime);
  return embedder.embed(text).finally(() => embedder.close());
}

test.skipIf(process.platform === "win32")("an imported model is the user's alone to read", async () => {
  const { directory } = await install(await write());
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  const modes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).mode & 0o777);
  expect(new Set(modes)).toEqual(new Set([0o600]));
});

describe("the settings of an imported model", () => {
  test("is copied from its files, and recorded with a hash of each", async () => {
    const from = await write({
      weights: "onnx/model_quantized.onnx",
      files: {
        "sentence_bert_config.json": { max_seq_length: 32 },
        "config_sentence_transformers.json": { prompts: { query: "query: ", document: "passage: " } },
        "1_Pooling/config.json": { word_embedding_dimension: 16, pooling_mode_cls_token: true },
        "README.md": "not a part of the model",
      },
    });
    const model = await install(from);
    const files = [
      "1_Pooling/config.json",
      "config.json",
      "config_sentence_transformers.json",
      "onnx/model_quantized.onnx",
      "sentence_bert_config.json",
      "tokenizer.json",
      "tokenizer_config.json",
    ];
    expect(model).toEqual({
      version: 1,
      id: expect.stringMatching(/^tiny-[0-9a-f]{8}$/),
      name: "tiny",
      source: { kind: "directory", path: from },
      dimensions: 16,
      maxTokens: 32,
      pooling: "cls",
      queryPrefix: "query: ",
      documentPrefix: "passage: ",
      tokenizer: "library",
      weights: "onnx/model_quantized.onnx",
      files: files.map((path) => ({
        path,
        size: Bun.file(join(from, path)).size,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      })),
      importedAt: NOW,
      directory: join(library, model.id),
    });
    expect((await readdir(model.directory)).sort()).toEqual([
      "1_Pooling",
      "config.json",
      "config_sentence_transformers.json",
      "model.json",
      "onnx",
      "sentence_bert_config.json",
      "tokenizer.json",
      "tokenizer_config.json",
    ]);
    expect(await changedFiles(model)).toEqual([]);
  });

  test("is the same model when imported again, and another with other weights or another use", async () => {
    const from = await write({ seed: 5 });
    const first = await install(from);
    expect((await install(from)).id).toBe(first.id);
    const others = [
      await install(await write({ seed: 6 })),
      await install(from, { pooling: "cls" }),
      await install(from, { queryPrefix: "query: " }),
    ];
    const ids = [first, ...others].map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(installedModels(library).map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  });

  test("is named after the repository when it is in the hub's cache", async () => {
    const revision = "0123456789abcdef0123456789abcdef01234567";
    const snapshot = join(root, "hub", "models--acme--tiny-e5", "snapshots", revision);
    await writeTinyModel(snapshot);
    await symlink(snapshot, join(root, "link-to-snapshot"));
    expect([nameOfDirectory(snapshot), nameOfDirectory(join(root, "link-to-snapshot"))]).toEqual([
      "tiny-e5",
      "tiny-e5",
    ]);
  });

  test("decides how a text becomes a vector: pooling and prefixes", async () => {
    const from = await write({ seed: 7 });
    const mean = await install(from);
    const [cls, last, prefixed] = [
      await install(from, { pooling: "cls" }),
      await install(from, { pooling: "last" }),
      await install(from, { queryPrefix: "query: ", documentPrefix: "passage: " }),
    ];
    // The first token and the last one are the same for every text.
    expect(cosine(await vectorOf(cls, "cache"), await vectorOf(cls, "window"))).toBeCloseTo(1, 5);
    expect(cosine(await vectorOf(last, "cache"), await vectorOf(last, "window"))).toBeCloseTo(1, 5);
    expect(cosine(await vectorOf(cls, "cache"), await vectorOf(last, "cache"))).toBeLessThan(0.9);
    expect(cosine(await vectorOf(mean, "cache"), await vectorOf(mean, "window"))).toBeLessThan(0.9);
    expect(await vectorOf(prefixed, "cache")).toEqual(await vectorOf(mean, "query: cache"));
    const ingest = await open(prefixed, "native", "ingest");
    expect(await ingest.embed("cache")).toEqual(await vectorOf(mean, "passage: cache"));
    await ingest.close();
  });

  test("gives the same vectors over both runtimes, and as computed by hand", async () => {
    const model = await install(await write({ seed: 8, inputs: ["input_ids", "attention_mask"] }));
    const native = await vectorOf(model, "why did we cache the index?");
    const wasm = await vectorOf(model, "why did we cache the index?", "wasm");
    expect(cosine(native, wasm)).toBeCloseTo(1, 6);
    const row = (token: string, scale = 1) =>
      Array.from({ length: 16 }, (_, i) => scale * (Bun.hash.xxHash32(`${token}/${i}`, 8) / 2 ** 31 - 1));
    const words = ["why", "did", "we", "cache", "the", "index", "?"].map((word) => row(word));
    const all = [row("[CLS]", 0.01), ...words, row("[SEP]", 0.01)];
    const sum = Array.from({ length: 16 }, (_, i) => all.reduce((total, each) => total + (each[i] ?? 0), 0));
    expect(cosine(native, sum)).toBeCloseTo(1, 6);
  });

  test("takes the vectors of tokens by their other name too", async () => {
    const model = await install(await write({ output: "token_embeddings" }));
    expect((await vectorOf(model, "cache")).length).toBe(16);
  });
});

describe("a model that cannot be used changes nothing, and the error says why", () => {
  const pooling = (mode: object) => ({ "1_Pooling/config.json": { word_embedding_dimension: 16, ...mode } });
  const CASES: [string, TinyModel, RegExp][] = [
    ["no tokenizer", { files: { "tokenizer.json": null } }, /it has no tokenizer\.json/],
    ["no configuration", { files: { "config.json": null } }, /it has no config\.json/],
    [
      "no weights",
      { weights: "onnx/decoder_model.onnx" },
      /neither onnx\/model_quantized\.onnx nor onnx\/model\.onnx/,
    ],
    ["weights in two files", { files: { "onnx/model.onnx_data": "x" } }, /are in a second file/],
    ["broken weights", { files: { "onnx/model.onnx": "not a model" } }, /mementor cannot use the model/],
    ["an empty file", { files: { "tokenizer_config.json": "" } }, /tokenizer_config\.json is empty/],
    [
      "a broken tokenizer",
      { files: { "tokenizer.json": { model: { type: "Nothing" } } } },
      /tokenizer of tiny/,
    ],
    ["broken JSON", { files: { "1_Pooling/config.json": "{" } }, /1_Pooling\/config\.json/],
    [
      "another dimension than it says",
      { files: pooling({ word_embedding_dimension: 8, pooling_mode_mean_tokens: true }) },
      /have 16 dimensions, but its files say 8/,
    ],
    [
      "pooling by the maximum",
      { files: pooling({ pooling_mode_max_tokens: true }) },
      /must be cls, mean or last, not max/,
    ],
    [
      "two poolings",
      { files: pooling({ pooling_mode_max_tokens: true, pooling_mode_mean_tokens: true }) },
      /not mean and max/,
    ],
    [
      "an input that no text has",
      { inputs: ["input_ids", "pixel_values"] },
      /requires the unknown input pixel_values/,
    ],
    ["another output", { output: "logits" }, /has no output sentence_embedding or/],
    [
      "an output without dimensions",
      { dimensions: 1, files: { "1_Pooling/config.json": null } },
      /different lengths|shape/,
    ],
  ];

  test.each(CASES)("%s", async (_, options, message) => {
    const before = await everything(library);
    const error = await install(await write({ seed: 20, ...options })).catch((reason) => reason);
    expect({ code: error.code, message: error.message }).toEqual({
      code: "model_invalid",
      message: expect.stringMatching(message),
    });
    expect(await everything(library)).toEqual(before);
  });

  test("too large", async () => {
    const from = await write({ seed: 20 });
    truncateSync(join(from, "onnx", "model.onnx"), 3_000_000_000);
    await expect(install(from)).rejects.toMatchObject({
      code: "model_invalid",
      message: expect.stringMatching(/onnx\/model\.onnx is 3,000 MB; the maximum is 1,500 MB/),
    });
  });

  test("not there", async () => {
    await expect(install(join(root, "nowhere"))).rejects.toMatchObject({ code: "not_found" });
  });

  test("not there any more, or changed since", async () => {
    const model = await install(await write({ seed: 21 }));
    await Bun.write(join(model.directory, "config.json"), "{}");
    expect(await changedFiles(model)).toEqual([join(model.directory, "config.json")]);
    expect(() => installedModel(library, model.id)).toThrow("config.json is missing or has changed");
    await rm(model.directory, { recursive: true });
    expect(() => installedModel(library, model.id)).toThrow(`the model ${model.id} is not on this machine`);
  });

  test.each(["..", "../../etc", "", "a/b", ".new-1"])("no path gets out of the library: %p", (id) => {
    expect(() => installedModel(library, id)).toThrow("is not on this machine");
  });
});

async function everything(directory: string): Promise<string[]> {
  return (await readdir(directory, { recursive: true })).sort();
}
