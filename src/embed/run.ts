import { Tensor } from "onnxruntime-common";
import { OUTPUT_NAMES, type Pooling, poolVectors } from "./embedder.ts";

/** The input names of a model and the name of its vector output. */
export interface Signature {
  inputs: readonly string[];
  output: string;
}

/** Finds the supported inputs and the vector output of a model. Throws `TypeError` when they are not as expected. */
export function findSignature(inputs: readonly string[], outputs: readonly string[]): Signature {
  const unknown = inputs.find((name) => !(name in FILL));
  if (unknown !== undefined) throw new TypeError(`the model requires the unknown input ${unknown}`);
  const output = OUTPUT_NAMES.find((wanted) => outputs.includes(wanted));
  if (output === undefined) throw new TypeError(`the model has no output ${OUTPUT_NAMES.join(" or ")}`);
  return { inputs, output };
}

/** Values of the inputs for one unpadded text: the mask includes every token, and all tokens are in segment 0. */
const FILL: Readonly<Record<string, (ids: readonly number[]) => BigInt64Array>> = {
  input_ids: (ids) => BigInt64Array.from(ids, BigInt),
  attention_mask: (ids) => new BigInt64Array(ids.length).fill(1n),
  token_type_ids: (ids) => new BigInt64Array(ids.length),
};

/** Returns the input tensors for the tokens of one text. */
export function modelInputs({ inputs }: Signature, ids: readonly number[]): Record<string, Tensor> {
  const tensorOf = (name: string) =>
    new Tensor("int64", FILL[name]?.(ids) ?? new BigInt64Array(ids.length), [1, ids.length]);
  return Object.fromEntries(inputs.map((name) => [name, tensorOf(name)]));
}

/** Returns the vector of a text from the outputs of a run. Throws `TypeError` when they contain none. */
export function readVector(
  { output }: Signature,
  results: Readonly<Record<string, Tensor>>,
  pooling: Pooling,
): Float32Array {
  const hidden = results[output];
  if (!(hidden?.data instanceof Float32Array)) throw new TypeError(`the model's ${output} holds no floats`);
  return poolVectors(hidden.data, hidden.dims, pooling);
}

/** A vector with the index of its text. */
interface Embedded {
  index: number;
  vector: Float32Array;
}

/**
 * Runs `embed` on all texts in order, `width` at a time, and yields each vector as it is done. Starts no more texts after the
 * consumer stops.
 */
export async function* embedInParallel(
  texts: readonly string[],
  width: number,
  embed: (text: string) => Promise<Float32Array>,
): AsyncGenerator<Embedded> {
  const running = new Map<number, Promise<Embedded>>();
  try {
    for (let next = 0; next < texts.length || running.size > 0; ) {
      while (next < texts.length && running.size < width) {
        const index = next++;
        running.set(
          index,
          embed(texts[index] ?? "").then((vector) => ({ index, vector })),
        );
      }
      const done = await Promise.race(running.values());
      running.delete(done.index);
      // A model in this thread blocks it: without a pause, neither a signal nor new work would be noticed.
      await new Promise<void>((resolve) => setImmediate(resolve));
      yield done;
    }
  } finally {
    await Promise.allSettled(running.values());
  }
}
