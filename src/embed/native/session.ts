import { readFileSync } from "node:fs";
import { Tensor } from "onnxruntime-common";
import { OUTPUTS, type Pooling, pool } from "../vector.ts";
import { loadBinding, type NativeSession } from "./binding.ts";

/** How a session trades the time to load against the time to run. */
export interface SessionOptions {
  /** Reorders weights when loading: slower to load, faster to run, the same vectors. */
  prepack: boolean;
  threads: number;
}

/** What it takes to open a session, in this thread or another. */
export interface SessionSource {
  bindingPath: string;
  /** A model in ORT format. */
  modelPath: string;
  pooling: Pooling;
}

/** One loaded model. */
export interface EmbeddingSession {
  /** Runs the model over token ids; blocks the thread meanwhile. */
  run(ids: readonly number[]): Float32Array;
  dispose(): void;
}

/**
 * Opens the model from mapped memory. The session reads its weights from there, so the bytes stay referenced until
 * it is disposed of: once collected, the process would die.
 */
export function openSession(source: SessionSource, options: SessionOptions): EmbeddingSession {
  const { InferenceSession } = loadBinding(source.bindingPath);
  const open: { session: NativeSession; bytes: Uint8Array | null } = {
    session: new InferenceSession(),
    bytes: modelBytes(source.modelPath),
  };
  const { buffer, byteOffset, byteLength } = open.bytes ?? new Uint8Array();
  open.session.loadModel(buffer, byteOffset, byteLength, runOptions(options));
  const signature = signatureOf(open.session);
  return {
    run(ids) {
      if (open.bytes === null) throw new TypeError("the session was closed");
      return infer(open.session, signature, ids, source.pooling);
    },
    dispose() {
      if (open.bytes === null) return;
      open.session.dispose();
      open.bytes = null;
    },
  };
}

/** `Bun.mmap` does not exist on Windows. */
function modelBytes(path: string): Uint8Array {
  return process.platform === "win32" ? readFileSync(path) : Bun.mmap(path, { shared: false });
}

function runOptions({ prepack, threads }: SessionOptions): object {
  return {
    graphOptimizationLevel: "disabled",
    executionMode: "sequential",
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Texts differ in length: plans of earlier runs would be kept and not used again (30 MB at 512 tokens).
    enableMemPattern: false,
    logSeverityLevel: 4,
    extra: {
      session: {
        use_ort_model_bytes_directly: "1",
        use_ort_model_bytes_for_initializers: "1",
        disable_prepacking: prepack ? "0" : "1",
        intra_op: { allow_spinning: "0" },
      },
    },
  };
}

/** What a model is fed, and which of its outputs counts. */
interface Signature {
  inputs: readonly string[];
  output: string;
}

function signatureOf({ inputMetadata, outputMetadata }: NativeSession): Signature {
  const inputs = inputMetadata.map(({ name }) => name);
  const unknown = inputs.find((name) => !(name in FILL));
  if (unknown !== undefined) throw new TypeError(`the model wants ${unknown}, which no text has`);
  const output = OUTPUTS.find((wanted) => outputMetadata.some(({ name }) => name === wanted));
  if (output === undefined) throw new TypeError(`the model has no output ${OUTPUTS.join(" or ")}`);
  return { inputs, output };
}

/** One text without padding: every token counts, and all are of one segment. */
const FILL: Readonly<Record<string, (ids: readonly number[]) => BigInt64Array>> = {
  input_ids: (ids) => BigInt64Array.from(ids, BigInt),
  attention_mask: (ids) => new BigInt64Array(ids.length).fill(1n),
  token_type_ids: (ids) => new BigInt64Array(ids.length),
};

function infer(
  session: NativeSession,
  { inputs, output }: Signature,
  ids: readonly number[],
  pooling: Pooling,
): Float32Array {
  const feeds: Record<string, Tensor> = {};
  for (const name of inputs) {
    const values = FILL[name]?.(ids) ?? new BigInt64Array(ids.length);
    feeds[name] = new Tensor("int64", values, [1, ids.length]);
  }
  const hidden = session.run(feeds, { [output]: null }, {})[output];
  if (!(hidden?.data instanceof Float32Array)) throw new TypeError(`the model's ${output} holds no floats`);
  return pool(hidden.data, hidden.dims, pooling);
}
