import { basename, dirname } from "node:path";
import type { Embedder, ModelInfo } from "../embedder.ts";
import { embedInParallel } from "../many.ts";
import type { WordPieceTokenizer } from "../tokenizer/wordpiece.ts";
import { poolFirstToken } from "../vector.ts";
import type { OnnxRuntime } from "./wasm.ts";

/** Where transformers.js looks for a runtime that it is given (its `backends/onnx.js`). */
const RUNTIME = Symbol.for("onnxruntime");

/**
 * Makes an embedder over transformers.js: any model in the layout of the Hugging Face hub (`config.json`,
 * `onnx/model_quantized.onnx`), over any ONNX Runtime. Nothing is looked for anywhere else.
 *
 * Texts are cut by `tokenizer`, because transformers.js cuts off the last special token with the rest.
 */
export async function createTransformersEmbedder(
  model: ModelInfo,
  directory: string,
  runtime: OnnxRuntime,
  tokenizer: WordPieceTokenizer,
): Promise<Embedder> {
  Object.assign(globalThis, { [RUNTIME]: runtime });
  const { AutoModel, env, Tensor } = await import("@huggingface/transformers");
  Object.assign(env, {
    allowRemoteModels: false,
    allowLocalModels: true,
    localModelPath: dirname(directory),
    useFSCache: false,
    useBrowserCache: false,
    useWasmCache: false,
  });
  const network = await AutoModel.from_pretrained(basename(directory), { dtype: "q8", device: "auto" });
  const row = (values: BigInt64Array) => new Tensor("int64", values, [1, values.length]);

  const embed = async (text: string): Promise<Float32Array> => {
    const ids = tokenizer.encode(text, model.maxTokens);
    const { last_hidden_state: hidden } = await network({
      input_ids: row(BigInt64Array.from(ids, BigInt)),
      attention_mask: row(new BigInt64Array(ids.length).fill(1n)),
      token_type_ids: row(new BigInt64Array(ids.length)),
    });
    const vector = poolFirstToken(hidden.data, model.dimensions);
    hidden.dispose();
    return vector;
  };
  return {
    model,
    runtime: "wasm",
    tokenizer,
    embed,
    embedMany: (texts) => embedInParallel(texts, 1, embed),
    close: async () => {
      await network.dispose();
    },
  };
}
