import { readFileSync } from "node:fs";
import { Tensor } from "onnxruntime-common";
import { poolFirstToken } from "../vector.ts";
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
  dimensions: number;
}

/** One loaded model. */
export interface EmbeddingSession {
  /** Runs the model over token ids; blocks the thread meanwhile. */
  run(ids: readonly number[]): Float32Array;
  dispose(): void;
}

const OUTPUT = "last_hidden_state";

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
  return {
    run(ids) {
      if (open.bytes === null) throw new TypeError("the session was closed");
      return poolFirstToken(infer(open.session, ids), source.dimensions);
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

function infer(session: NativeSession, ids: readonly number[]): Float32Array {
  const row = (values: BigInt64Array) => new Tensor("int64", values, [1, values.length]);
  const feeds = {
    input_ids: row(BigInt64Array.from(ids, BigInt)),
    attention_mask: row(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: row(new BigInt64Array(ids.length)),
  };
  const hidden = session.run(feeds, { [OUTPUT]: null }, {})[OUTPUT];
  if (!(hidden?.data instanceof Float32Array)) throw new TypeError(`the model has no output ${OUTPUT}`);
  return hidden.data;
}
