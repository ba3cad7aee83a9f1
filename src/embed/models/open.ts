import { join } from "node:path";
import { MementorError } from "../../errors.ts";
import type { Embedder } from "../embedder.ts";
import type { Purpose } from "../native/embedder.ts";
import { type NativeFiles, nativeSource } from "../native/source.ts";
import type { IdTokenizer } from "../tokenizer/tokenizer.ts";
import { dtypeOf, type InstalledModel } from "./manifest.ts";
import { openModelTokenizer } from "./tokenizer.ts";

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
    nativeSource(files, { id: model.id, pooling: model.pooling, onnx }),
    tokenizerOf(model, purpose),
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
  const [binary, tokenizer] = await Promise.all([files.bytes("ort-wasm"), tokenizerOf(model, purpose)]);
  const directory = { path: model.directory, dtype: dtypeOf(model), pooling: model.pooling };
  return createTransformersEmbedder(model, directory, wasmRuntime(binary), tokenizer);
}

async function tokenizerOf(model: InstalledModel, purpose: Purpose): Promise<IdTokenizer> {
  const json = async (file: string): Promise<object> => {
    const found = Bun.file(join(model.directory, file));
    return (await found.exists()) ? found.json() : {};
  };
  try {
    const prefix = purpose === "ingest" ? model.documentPrefix : model.queryPrefix;
    return openModelTokenizer(await json("tokenizer.json"), await json("tokenizer_config.json"), prefix);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new MementorError("model_invalid", `the tokenizer of ${model.name} cannot be used: ${why}`, {
      cause,
    });
  }
}
