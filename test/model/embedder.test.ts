import { describe, expect, test } from "bun:test";
import type { Embedder } from "../../src/embed/embedder.ts";
import { type EmbedderFiles, openEmbedder } from "../../src/embed/open.ts";
import { MementorError } from "../../src/errors.ts";
import { testAssets } from "../support/assets.ts";
import { describeEmbedder } from "./contract.ts";

function open(runtime: "native" | "wasm", purpose: "prompt" | "ingest"): Promise<Embedder> {
  return openEmbedder({ files: testAssets(), runtime, purpose, warn: () => {} });
}

describeEmbedder("native runtime, for a prompt", () => open("native", "prompt"));
describeEmbedder("native runtime, for an ingest", () => open("native", "ingest"));
describeEmbedder("WASM runtime", () => open("wasm", "ingest"));

test("equal texts give equal vectors for a prompt and for an ingest", async () => {
  const [prompt, ingest] = await Promise.all([open("native", "prompt"), open("native", "ingest")]);
  for (const text of ["How do I fix the CI?", "word ".repeat(300)])
    expect(await ingest.embed(text)).toEqual(await prompt.embed(text));
  await Promise.all([prompt.close(), ingest.close()]);
});

test("WASM unpacks nothing to disk", async () => {
  const assets = testAssets();
  const path = () => Promise.reject(new Error("nothing is unpacked"));
  const files: EmbedderFiles = { ...assets, path };
  await using embedder = await openEmbedder({ files, runtime: "wasm", purpose: "query", warn: () => {} });
  expect((await embedder.embed("How do I fix the CI?")).length).toBe(384);
}, 60_000);

describe("where native code cannot be loaded", () => {
  const assets = testAssets();
  const files: EmbedderFiles = {
    ...assets,
    path: async (name) => (name === "ort-binding" ? "/nowhere/onnxruntime_binding.node" : assets.path(name)),
  };

  test.each(["native", "auto"] as const)("a prompt does without vectors (%s)", async (runtime) => {
    const opened = openEmbedder({ files, runtime, purpose: "prompt", warn: () => {} }).then((e) =>
      e.embed("x"),
    );
    const error = await opened.catch((reason) => reason);
    expect(error).toBeInstanceOf(MementorError);
    expect(error.code).toBe("embedder_unavailable");
  });

  test("an ingest falls back to WASM with a warning", async () => {
    const warnings: string[] = [];
    const warn = (message: string) => warnings.push(message);
    const embedder = await openEmbedder({ files, runtime: "auto", purpose: "ingest", warn });
    expect(embedder.runtime).toBe("wasm");
    expect(warnings).toEqual([expect.stringContaining("/nowhere/onnxruntime_binding.node")]);
    await embedder.close();
  }, 600_000);

  test("a search uses WASM without a word where there is no native runtime", async () => {
    const without = { ...files, has: () => false };
    const warnings: string[] = [];
    const warn = (message: string) => warnings.push(message);
    const embedder = await openEmbedder({ files: without, runtime: "auto", purpose: "query", warn });
    expect({ runtime: embedder.runtime, warnings }).toEqual({ runtime: "wasm", warnings: [] });
    await embedder.close();
  }, 600_000);

  test("a prompt does not fall back to WASM", async () => {
    const without = { ...files, has: () => false };
    const error = await openEmbedder({
      files: without,
      runtime: "auto",
      purpose: "prompt",
      warn: () => {},
    }).catch((e) => e);
    expect(error.code).toBe("embedder_unavailable");
  });
});
