/** Version of ONNX Runtime. A model in ORT format is only used with the version that converted it. */
export { version as ORT_VERSION } from "onnxruntime-node/package.json" with { type: "json" };
