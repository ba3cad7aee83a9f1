import { version as ORT_VERSION } from "onnxruntime-node/package.json" with { type: "json" };
import type { Pooling } from "../vector.ts";
import type { SessionSource } from "./session.ts";
import { disableTelemetry } from "./telemetry.ts";

/** The assets that the native runtime needs. */
export interface NativeFiles {
  path(name: "ort-binding"): Promise<string>;
  derived(name: string, make: (path: string) => Promise<void>): Promise<string>;
}

/** A model in ONNX format, before conversion for this machine. */
export interface OnnxModel {
  /** Identifies the weights: different weights have different ids. */
  id: string;
  pooling: Pooling;
  needsPrepacking: boolean;
  /** Attention heads of a BERT model with int8 weights, whose graph is written anew; null for any other model. */
  heads: number | null;
  onnx: () => Promise<Uint8Array>;
}

/** Raised when the same weights are converted in another way. A model is used only with the runtime that converted it. */
const CONVERSION = 3;

/** Provides the files of a session: the extracted library, and the model converted for this machine. */
export async function nativeSource(files: NativeFiles, model: OnnxModel): Promise<SessionSource> {
  disableTelemetry();
  const bindingPath = await files.path("ort-binding");
  const name = `${model.id}-ort${ORT_VERSION}-${CONVERSION}-${process.arch}`;
  const modelPath = await files.derived(name, async (path) => {
    const { loadBinding } = await import("./binding.ts");
    const { convertModel } = await import("./ort-model.ts");
    const { leanModel } = await import("../graph/lean.ts");
    const onnx = await model.onnx();
    convertModel(loadBinding(bindingPath), model.heads === null ? onnx : leanModel(onnx, model.heads), path);
  });
  return { bindingPath, modelPath, pooling: model.pooling, needsPrepacking: model.needsPrepacking };
}
