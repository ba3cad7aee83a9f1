import { basename, dirname } from "node:path";
import type { Embedder, IdTokenizer, ModelInfo } from "../embedder.ts";
import { embedInParallel } from "../many.ts";
import { OUTPUTS, type Pooling, pool } from "../vector.ts";
import type { OnnxRuntime } from "./wasm.ts";

/** The global under which transformers.js looks for a runtime to use (its `backends/onnx.js`). */
const RUNTIME = Symbol.for("onnxruntime");

/** A model's directory in the layout of the Hugging Face hub, and which of its weights to use. */
export interface ModelDirectory {
  path: string;
  /** Names the file of the weights: `q8` is `onnx/model_quantized.onnx`. */
  dtype: "fp32" | "fp16" | "q8" | "int8" | "uint8" | "q4";
  pooling: Pooling;
}

/**
 * Creates an embedder on top of transformers.js, for any feature-extraction model and any ONNX Runtime. Reads nothing
 * outside the model's directory.
 *
 * `tokenizer` truncates long texts, because transformers.js would also drop the final special token.
 *
 * @throws `TypeError` for a model without an output that holds embeddings.
 */
export async function createTransformersEmbedder(
  model: ModelInfo,
  directory: ModelDirectory,
  runtime: OnnxRuntime,
  tokenizer: IdTokenizer,
): Promise<Embedder> {
  Object.assign(globalThis, { [RUNTIME]: runtime });
  const { AutoModel, env, Tensor } = await import("@huggingface/transformers");
  Object.assign(env, {
    allowRemoteModels: false,
    allowLocalModels: true,
    localModelPath: dirname(directory.path),
    useFSCache: false,
    useBrowserCache: false,
    useWasmCache: false,
  });
  const network = await AutoModel.from_pretrained(basename(directory.path), {
    dtype: directory.dtype,
    device: "auto",
  });
  const row = (values: BigInt64Array) => new Tensor("int64", values, [1, values.length]);

  const embed = async (text: string): Promise<Float32Array> => {
    const ids = tokenizer.encode(text, model.maxTokens);
    const outputs = await network({
      input_ids: row(BigInt64Array.from(ids, BigInt)),
      attention_mask: row(new BigInt64Array(ids.length).fill(1n)),
      token_type_ids: row(new BigInt64Array(ids.length)),
    });
    const name = OUTPUTS.find((wanted) => outputs[wanted] !== undefined);
    if (name === undefined) throw new TypeError(`the model has no output ${OUTPUTS.join(" or ")}`);
    const { data, dims } = outputs[name];
    if (!(data instanceof Float32Array)) throw new TypeError(`the model's ${name} holds no floats`);
    const vector = pool(data, dims, directory.pooling);
    for (const output of Object.values<{ dispose?(): void }>(outputs)) output.dispose?.();
    return vector;
  };
  const close = async () => {
    await network.dispose();
  };
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
