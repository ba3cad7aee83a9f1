import { join } from "node:path";
import type { Embedder } from "../embedder.ts";
import type { Purpose } from "../native/embedder.ts";
import { type NativeFiles, nativeSource } from "../native/source.ts";
import { dtypeOf, type InstalledModel } from "./manifest.ts";
import { openTokenizerOf } from "./tokenizer.ts";

/** The runtimes in the assets. */
export interface RuntimeFiles extends NativeFiles {
  bytes(name: "ort-wasm"): Promise<Uint8Array>;
}

/** Opens one of the user's models with the native runtime. Prompts get the query prefix, ingests the document prefix. */
export async function openNativeModel(
  model: InstalledModel,
  files: RuntimeFiles,
  purpose: Purpose,
): Promise<Embedder> {
  const { createNativeEmbedder } = await import("../native/embedder.ts");
  const onnx = () => Bun.file(join(model.directory, model.weights)).bytes();
  const [source, tokenizer] = await Promise.all([
    nativeSource(files, {
      id: model.id,
      pooling: model.pooling,
      needsPrepacking: dtypeOf(model) === "q4",
      heads: null,
      onnx,
    }),
    openTokenizerOf(model, files, purpose),
  ]);
  return createNativeEmbedder(model, tokenizer, source, purpose);
}

/** Opens one of the user's models with transformers.js and WebAssembly. */
export async function openWasmModel(
  model: InstalledModel,
  files: RuntimeFiles,
  purpose: Purpose,
): Promise<Embedder> {
  const { wasmRuntime } = await import("../transformers/wasm.ts");
  const { createTransformersEmbedder } = await import("../transformers/embedder.ts");
  const [binary, tokenizer] = await Promise.all([
    files.bytes("ort-wasm"),
    openTokenizerOf(model, files, purpose),
  ]);
  const directory = { path: model.directory, dtype: dtypeOf(model), pooling: model.pooling };
  return createTransformersEmbedder(model, directory, wasmRuntime(binary), tokenizer);
}
