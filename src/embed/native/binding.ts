import { Tensor } from "onnxruntime-common";
import { MementorError } from "../../errors.ts";

export interface NativeSession {
  readonly inputMetadata: readonly { name: string }[];
  readonly outputMetadata: readonly { name: string }[];
  loadModel(path: string, options: object): void;
  loadModel(buffer: ArrayBufferLike, byteOffset: number, byteLength: number, options: object): void;
  run(feeds: Record<string, Tensor>, fetches: Record<string, null>, options: object): Record<string, Tensor>;
  dispose(): void;
}

/** What `onnxruntime_binding.node` exports. */
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
