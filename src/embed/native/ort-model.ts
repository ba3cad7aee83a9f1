import { readFileSync, writeFileSync } from "node:fs";
import type { NativeBinding } from "./binding.ts";
import { withoutShapes } from "./without-shapes.ts";

/**
 * Converts an ONNX model to ORT format and optimises its graph, so that loading it later is fast. The vectors stay the
 * same. Takes 0.4 to 0.7 s.
 */
export function convertModel(binding: NativeBinding, onnx: Uint8Array, outputPath: string): void {
  const session = new binding.InferenceSession();
  session.loadModel(onnx.buffer, onnx.byteOffset, onnx.byteLength, {
    graphOptimizationLevel: "extended",
    optimizedModelFilePath: outputPath,
    logSeverityLevel: 4,
    extra: { session: { save_model_format: "ORT", disable_prepacking: "1" } },
  });
  session.dispose();
  writeFileSync(outputPath, withoutShapes(readFileSync(outputPath)));
}
