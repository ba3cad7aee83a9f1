import type { ModelInfo } from "../embedder.ts";
import { loadBinding, ORT_VERSION } from "./binding.ts";
import { convertModel } from "./ort-model.ts";
import type { SessionSource } from "./session.ts";
import { disableTelemetry } from "./telemetry.ts";

/** What the native runtime needs of the assets. */
export interface NativeFiles {
  path(name: "ort-binding"): Promise<string>;
  bytes(name: "model"): Promise<Uint8Array>;
  derived(name: string, make: (path: string) => Promise<void>): Promise<string>;
}

/** Provides the files of a session: the extracted library, and the model converted on this machine. */
export async function nativeSource(files: NativeFiles, model: ModelInfo): Promise<SessionSource> {
  disableTelemetry();
  const bindingPath = await files.path("ort-binding");
  const name = `${model.id}-ort${ORT_VERSION}-${process.arch}`;
  const modelPath = await files.derived(name, async (path) => {
    convertModel(loadBinding(bindingPath), await files.bytes("model"), path);
  });
  return { bindingPath, modelPath, dimensions: model.dimensions };
}
