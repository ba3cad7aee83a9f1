import * as ort from "onnxruntime-web/wasm";
import type { Embedder, IdTokenizer, ModelInfo, Pooling } from "./embedder.ts";
import { embedInParallel, findSignature, modelInputs, readVector } from "./run.ts";

/** The bytes of a runtime and a model. */
export interface WasmParts {
  /** ONNX Runtime as WebAssembly. */
  runtime: Uint8Array;
  /** A model in ONNX format. */
  model: Uint8Array;
  pooling: Pooling;
}

/**
 * Creates an embedder on top of ONNX Runtime in WebAssembly, on one thread. Reads no file. Rejects with a `TypeError` for a model
 * with other inputs or outputs.
 */
export async function createWasmEmbedder(
  model: ModelInfo,
  tokenizer: IdTokenizer,
  parts: WasmParts,
): Promise<Embedder> {
  ort.env.wasm.wasmBinary = parts.runtime;
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "fatal";
  const session = await ort.InferenceSession.create(parts.model, { executionProviders: ["wasm"] });
  const signature = findSignature(session.inputNames, session.outputNames);
  const embed = async (text: string): Promise<Float32Array> => {
    const feeds = modelInputs(signature, tokenizer.encode(text, model.maxTokens));
    return readVector(signature, await session.run(feeds, [signature.output]), parts.pooling);
  };
  const close = () => session.release();
  return {
    model,
    runtime: "wasm",
    tokenizer,
    embed,
    embedMany: (texts) => embedInParallel(texts, 1, embed),
    close,
    [Symbol.asyncDispose]: close,
  };
}
