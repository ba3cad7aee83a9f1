import { readFileSync } from "node:fs";
import { Tensor } from "onnxruntime-common";
import { MementorError } from "../../errors.ts";
import type { Pooling } from "../embedder.ts";
import { findSignature, modelInputs, readVector } from "../run.ts";

/** Options that trade loading time for running time. */
export interface SessionOptions {
  /** Rearranges the weights while loading: slower to load, faster to run, same vectors. */
  prepack: boolean;
  threads: number;
}

/** The files that a thread needs to open a session. */
export interface SessionSource {
  bindingPath: string;
  /** Path of a model in ORT format. */
  modelPath: string;
  pooling: Pooling;
  /** True for 4-bit weights. Unless they are rearranged while loading, each run unpacks all of them. */
  needsPrepacking: boolean;
}

/** One loaded model. */
export interface EmbeddingSession {
  /** Runs the model on token ids. Blocks the thread. */
  run(ids: readonly number[]): Float32Array;
  dispose(): void;
}

/**
 * Opens a model from mapped memory. The session reads its weights from these bytes, so they stay referenced until it is disposed
 * of: if they were garbage-collected earlier, the process would crash. Throws `TypeError` for a model with other inputs or
 * outputs. Running a closed session throws it, too.
 */
export function openSession(source: SessionSource, options: SessionOptions): EmbeddingSession {
  const { InferenceSession } = loadBinding(source.bindingPath);
  const open: { session: NativeSession; bytes: Uint8Array | null } = {
    session: new InferenceSession(),
    bytes: modelBytes(source.modelPath),
  };
  const { buffer, byteOffset, byteLength } = open.bytes ?? new Uint8Array();
  open.session.loadModel(buffer, byteOffset, byteLength, runOptions(options));
  const { inputMetadata, outputMetadata } = open.session;
  const signature = findSignature(inputMetadata.map(nameOf), outputMetadata.map(nameOf));
  return {
    run(ids) {
      if (open.bytes === null) throw new TypeError("the session was closed");
      const results = open.session.run(modelInputs(signature, ids), { [signature.output]: null }, {});
      return readVector(signature, results, source.pooling);
    },
    dispose() {
      if (open.bytes === null) return;
      open.session.dispose();
      open.bytes = null;
    },
  };
}

function nameOf({ name }: { name: string }): string {
  return name;
}

/**
 * Reads or maps the model. `Bun.mmap` does not exist on Windows. It opens the file for writing, which a read-only disk or a
 * sandbox refuses.
 */
function modelBytes(path: string): Uint8Array {
  if (process.platform === "win32") return readFileSync(path);
  try {
    return Bun.mmap(path, { shared: false });
  } catch {
    return readFileSync(path);
  }
}

function runOptions({ prepack, threads }: SessionOptions): object {
  return {
    graphOptimizationLevel: "disabled",
    executionMode: "sequential",
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Memory plans are kept per text length and rarely reused; they would take 30 MB at 512 tokens.
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

interface NativeSession {
  readonly inputMetadata: readonly { name: string }[];
  readonly outputMetadata: readonly { name: string }[];
  loadModel(path: string, options: object): void;
  loadModel(buffer: ArrayBufferLike, byteOffset: number, byteLength: number, options: object): void;
  run(feeds: Record<string, Tensor>, fetches: Record<string, null>, options: object): Record<string, Tensor>;
  dispose(): void;
}

/** The exports of `onnxruntime_binding.node`. */
export interface NativeBinding {
  InferenceSession: new () => NativeSession;
  initOrtOnce(logLevel: number, tensor: typeof Tensor, isMainThread: boolean): void;
}

const LOG_FATAL = 4;
const loaded = new Map<string, NativeBinding>();

/**
 * Loads ONNX Runtime from `onnxruntime_binding.node`, which loads the library beside it. Throws
 * `embedder_unavailable` when native code cannot be loaded (a `noexec` directory, another libc, ...).
 */
export function loadBinding(path: string): NativeBinding {
  const known = loaded.get(path);
  if (known !== undefined) return known;
  try {
    const module: { exports: NativeBinding } = { exports: {} as NativeBinding };
    process.dlopen(module, path);
    module.exports.initOrtOnce(LOG_FATAL, Tensor, Bun.isMainThread);
    loaded.set(path, module.exports);
    return module.exports;
  } catch (error) {
    throw new MementorError("embedder_unavailable", `cannot load ${path}: ${messageOf(error)}`, {
      cause: error,
      hint: "If this directory is on a file system mounted noexec, set XDG_CACHE_HOME to another directory.",
    });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
