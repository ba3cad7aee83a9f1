import { dlopen } from "bun:ffi";
import { version as ORT_VERSION } from "onnxruntime-node/package.json" with { type: "json" };
import { MementorError } from "../../errors.ts";
import type { Pooling } from "../embedder.ts";
import type { SessionSource } from "./session.ts";

/** The assets that the native runtime needs. */
export interface NativeFiles {
  path(name: "ort-binding"): Promise<string>;
  derived(name: string, make: (path: string) => Promise<void>): Promise<string>;
}

/** A model in ONNX format, before conversion for this machine. */
export interface OnnxModel {
  /** Id of the weights: different weights have different ids. */
  id: string;
  pooling: Pooling;
  needsPrepacking: boolean;
  /** Attention heads of an int8 BERT model, whose graph is rewritten; null for any other model. */
  heads: number | null;
  onnx: () => Promise<Uint8Array>;
}

/** Version of the conversion. Raise it when the same weights are converted differently. */
const CONVERSION = 3;

const VARIABLE = "ORT_DISABLE_TELEMETRY";

/** The C library by platform. Windows needs none, because ONNX Runtime reports to the system's own tracing there. */
const C_LIBRARY: Partial<Record<NodeJS.Platform, string>> = {
  linux: "libc.so.6",
  darwin: "libSystem.B.dylib",
};

/** Provides the files of a session: the extracted library and the model, converted for this machine. */
export async function nativeSource(files: NativeFiles, model: OnnxModel): Promise<SessionSource> {
  disableTelemetry();
  const bindingPath = await files.path("ort-binding");
  const name = `${model.id}-ort${ORT_VERSION}-${CONVERSION}-${process.arch}`;
  const modelPath = await files.derived(name, async (path) => {
    const { loadBinding } = await import("./session.ts");
    const { convertModel } = await import("./ort-model.ts");
    const { leanModel } = await import("../graph/lean.ts");
    const onnx = await model.onnx();
    convertModel(loadBinding(bindingPath), model.heads === null ? onnx : leanModel(onnx, model.heads), path);
  });
  return { bindingPath, modelPath, pooling: model.pooling, needsPrepacking: model.needsPrepacking };
}

/**
 * Turns off ONNX Runtime's telemetry. Since 1.29, official builds write a device id to the cache directory and report each
 * session over the network, unless this variable is set before the library starts.
 *
 * Must be called before any thread loads the library. Sets the variable through the C library, because native code does not see
 * JavaScript's changes to the environment. Throws `embedder_unavailable` on failure: no vectors are better than a report.
 */
function disableTelemetry(): void {
  const library = C_LIBRARY[process.platform];
  if (library === undefined) return;
  try {
    const { symbols, close } = dlopen(library, {
      setenv: { args: ["cstring", "cstring", "i32"], returns: "i32" },
    });
    const failed = symbols.setenv(cString(VARIABLE), cString("1"), 1) !== 0;
    close();
    if (failed) throw new Error("setenv failed");
  } catch (error) {
    throw new MementorError("embedder_unavailable", "cannot turn off the telemetry of ONNX Runtime", {
      cause: error,
    });
  }
}

function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}
