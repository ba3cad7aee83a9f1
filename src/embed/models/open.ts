import { join } from "node:path";
import type { Embedder } from "../embedder.ts";
import type { Purpose } from "../native/embedder.ts";
import { type NativeFiles, nativeSource } from "../native/source.ts";
import { FOUR_BITS } from "./choose.ts";
import type { InstalledModel } from "./manifest.ts";
import { openTokenizerOf } from "./tokenizer.ts";

/** The runtimes in the assets. */
export interface OnnxFiles extends NativeFiles {
  bytes(name: "ort-wasm"): Promise<Uint8Array>;
}

/** Opens one of the user's models with the native runtime. Prompts get the query prefix, ingests the document prefix. */
export async function openNativeModel(
  model: InstalledModel,
  files: OnnxFiles,
  purpose: Purpose,
): Promise<Embedder> {
  const { createNativeEmbedder } = await import("../native/embedder.ts");
  const [source, tokenizer] = await Promise.all([
    nativeSource(files, {
      id: model.id,
      pooling: model.pooling,
      needsPrepacking: model.weights === FOUR_BITS,
      heads: null,
      onnx: () => weightsOf(model),
    }),
    openTokenizerOf(model, files, purpose),
  ]);
  return createNativeEmbedder(model, tokenizer, source, purpose);
}

/** Opens one of the user's models with WebAssembly. */
export async function openWasmModel(
  model: InstalledModel,
  files: OnnxFiles,
  purpose: Purpose,
): Promise<Embedder> {
  const { createWasmEmbedder } = await import("../wasm.ts");
  const [runtime, onnx, tokenizer] = await Promise.all([
    files.bytes("ort-wasm"),
    weightsOf(model),
    openTokenizerOf(model, files, purpose),
  ]);
  return createWasmEmbedder(model, tokenizer, { runtime, model: onnx, pooling: model.pooling });
}

function weightsOf({ directory, weights }: InstalledModel): Promise<Uint8Array> {
  return Bun.file(join(directory, weights)).bytes();
}
