import * as ort from "onnxruntime-web/wasm";

/** The part of an ONNX Runtime that transformers.js uses. */
export interface OnnxRuntime {
  InferenceSession: { create(model: string | Uint8Array, options?: object): Promise<ort.InferenceSession> };
  Tensor: typeof ort.Tensor;
  /** Empty, so that transformers.js cannot set URLs to download from. */
  env: object;
}

/** Starts ONNX Runtime in WebAssembly on one thread, from bytes instead of a URL. */
export function wasmRuntime(wasmBinary: Uint8Array): OnnxRuntime {
  ort.env.wasm.wasmBinary = wasmBinary;
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "fatal";
  return {
    InferenceSession: {
      create: async (model, options) =>
        ort.InferenceSession.create(typeof model === "string" ? await Bun.file(model).bytes() : model, {
          ...options,
          executionProviders: ["wasm"],
        }),
    },
    Tensor: ort.Tensor,
    env: {},
  };
}
