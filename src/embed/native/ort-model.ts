import type { NativeBinding } from "./session.ts";

/**
 * Converts an ONNX model to ORT format and optimises its graph, so that it loads quickly later. Its vectors stay the same. Takes
 * 0.4 to 0.7 s.
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
}
