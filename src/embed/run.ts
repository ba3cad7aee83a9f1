import { Tensor } from "onnxruntime-common";
import { OUTPUTS, type Pooling, pool } from "./embedder.ts";

/** The inputs of a model, and the output that holds the vectors. */
export interface Signature {
  inputs: readonly string[];
  output: string;
}

/** Finds what a run needs among a model's inputs and outputs. Throws `TypeError` for a model with other ones. */
export function signatureOf(inputs: readonly string[], outputs: readonly string[]): Signature {
  const unknown = inputs.find((name) => !(name in FILL));
  if (unknown !== undefined) throw new TypeError(`the model requires the unknown input ${unknown}`);
  const output = OUTPUTS.find((wanted) => outputs.includes(wanted));
  if (output === undefined) throw new TypeError(`the model has no output ${OUTPUTS.join(" or ")}`);
  return { inputs, output };
}

/** The inputs for one text without padding: the mask includes every token, and all tokens are in segment 0. */
const FILL: Readonly<Record<string, (ids: readonly number[]) => BigInt64Array>> = {
  input_ids: (ids) => BigInt64Array.from(ids, BigInt),
  attention_mask: (ids) => new BigInt64Array(ids.length).fill(1n),
  token_type_ids: (ids) => new BigInt64Array(ids.length),
};

/** Returns the inputs of a run on the tokens of a text. */
export function feedsOf({ inputs }: Signature, ids: readonly number[]): Record<string, Tensor> {
  const tensorOf = (name: string) =>
    new Tensor("int64", FILL[name]?.(ids) ?? new BigInt64Array(ids.length), [1, ids.length]);
  return Object.fromEntries(inputs.map((name) => [name, tensorOf(name)]));
}

/** Returns the vector of a text from what a run gave. Throws `TypeError` when it holds none. */
export function vectorOf(
  { output }: Signature,
  results: Readonly<Record<string, Tensor>>,
  pooling: Pooling,
): Float32Array {
  const hidden = results[output];
  if (!(hidden?.data instanceof Float32Array)) throw new TypeError(`the model's ${output} holds no floats`);
  return pool(hidden.data, hidden.dims, pooling);
}

/** The index of a text and its vector. */
interface Embedded {
  index: number;
  vector: Float32Array;
}

/**
 * Runs `embed` on all texts in their order, `width` at a time, and yields each vector as it is done. When the consumer stops,
 * starts nothing new.
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
      // A model in this thread leaves no time for others: without a pause, neither a signal nor new work would be noticed.
      await new Promise<void>((resolve) => setImmediate(resolve));
      yield done;
    }
  } finally {
    await Promise.allSettled(running.values());
  }
}
