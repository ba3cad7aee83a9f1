import type { Target } from "./target.ts";

/** Every file that mementor needs beside its code. */
export type AssetName =
  | "ort-binding"
  | "ort-library"
  | "ort-wasm"
  | "sqlite-vec"
  | "model"
  | "model-config"
  | "tokenizer"
  | "tokenizer-config"
  | "vocabulary";

/** Where an asset comes from and how it is carried. */
export interface CatalogEntry {
  name: AssetName;
  /** Path on disk once extracted, separated by `/`. Libraries find each other by it. */
  file: string;
  /** Path from the repository's root; null for files that the build generates. */
  source: string | null;
  /** True for native code, which must be loaded from disk. Everything else can be read from the binary. */
  executable: boolean;
  /** False for files that hooks read at every start, and for files that do not shrink. */
  compress: boolean;
  /** Assets of the same group share a directory and are extracted together. */
  group: string;
}

const MODEL = "src/assets/model/bge-small-en-v1.5";
const ORT_WEB = "node_modules/onnxruntime-web/dist";

/** Lists the assets of a target. */
export function catalog(target: Target): CatalogEntry[] {
  return [...nativeRuntime(target), ...sqliteVec(target), ...portable()];
}

function nativeRuntime(target: Target): CatalogEntry[] {
  const files = ORT_NODE[target];
  if (files === undefined) return [];
  const root = `node_modules/onnxruntime-node/bin/napi-v6/${files.folder}`;
  const shared = { executable: true, compress: true, group: "ort-native" };
  return [
    {
      name: "ort-binding",
      file: "onnxruntime_binding.node",
      source: `${root}/onnxruntime_binding.node`,
      ...shared,
    },
    { name: "ort-library", file: files.library, source: `${root}/${files.library}`, ...shared },
  ];
}

/** Targets without an entry have no native build of ONNX Runtime. It chooses its instructions when it starts. */
const ORT_NODE: Partial<Record<Target, { folder: string; library: string }>> = {
  "linux-x64": { folder: "linux/x64", library: "libonnxruntime.so.1" },
  "linux-x64-baseline": { folder: "linux/x64", library: "libonnxruntime.so.1" },
  "linux-arm64": { folder: "linux/arm64", library: "libonnxruntime.so.1" },
  "darwin-arm64": { folder: "darwin/arm64", library: "libonnxruntime.1.dylib" },
  "windows-x64": { folder: "win32/x64", library: "onnxruntime.dll" },
};

function sqliteVec(target: Target): CatalogEntry[] {
  if (target.endsWith("-musl")) return [];
  const extension = target.startsWith("windows") ? "dll" : target.startsWith("darwin") ? "dylib" : "so";
  const file = `vec0.${extension}`;
  return [
    {
      name: "sqlite-vec",
      file,
      source: `node_modules/sqlite-vec-${target.replace("-baseline", "")}/${file}`,
      executable: true,
      compress: true,
      group: "sqlite-vec",
    },
  ];
}

function portable(): CatalogEntry[] {
  return [
    {
      ...DATA,
      name: "ort-wasm",
      file: WASM,
      source: `${ORT_WEB}/${WASM}`,
      compress: true,
      group: "ort-wasm",
    },
    {
      ...DATA,
      name: "vocabulary",
      file: "vocabulary.bin",
      source: null,
      compress: false,
      group: "vocabulary",
    },
    modelFile("model", "onnx/model_quantized.onnx", true),
    modelFile("model-config", "config.json", false),
    modelFile("tokenizer", "tokenizer.json", true),
    modelFile("tokenizer-config", "tokenizer_config.json", false),
  ];
}

const DATA = { executable: false };
const WASM = "ort-wasm-simd-threaded.wasm";

/** The model's files keep the layout of the Hugging Face hub, which transformers.js expects. */
function modelFile(name: AssetName, file: string, compress: boolean): CatalogEntry {
  return { ...DATA, name, file: `model/${file}`, source: `${MODEL}/${file}`, compress, group: "model" };
}
