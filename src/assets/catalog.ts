import { PLATFORMS, type Target } from "./target.ts";

/** Every file that mementor needs beside its code. */
export type AssetName =
  | "ort-binding"
  | "ort-library"
  | "ort-wasm"
  | "sqlite-vec"
  | "model"
  | "tokenizer"
  | "vocabulary";

/** The origin of an asset and its place in the binary. */
export interface CatalogEntry {
  name: AssetName;
  /** Path after extraction, separated by `/`. Libraries find each other by it. */
  file: string;
  /** Path from the repository's root; null for files that the build generates. */
  source: string | null;
  /** True for native code, which must be loaded from disk. Everything else can be read from the binary. */
  executable: boolean;
  /** False for files that hooks read at every start, and for files that do not shrink. */
  compress: boolean;
  /** Assets of one group share a directory and are extracted together. */
  group: string;
}

const MODEL = "src/assets/model/bge-small-en-v1.5";
const ORT_WEB = "node_modules/onnxruntime-web/dist";

/** Lists the assets of a target. */
export function catalog(target: Target): CatalogEntry[] {
  return [...nativeRuntime(target), ...sqliteVec(target), ...portable()];
}

function nativeRuntime(target: Target): CatalogEntry[] {
  const { os, cpu, onnx } = PLATFORMS[target];
  if (onnx === undefined) return [];
  const root = `node_modules/onnxruntime-node/bin/napi-v6/${os === "windows" ? "win32" : os}/${cpu}`;
  const shared = { executable: true, compress: true, group: "ort-native" };
  return [
    {
      name: "ort-binding",
      file: "onnxruntime_binding.node",
      source: `${root}/onnxruntime_binding.node`,
      ...shared,
    },
    { name: "ort-library", file: onnx, source: `${root}/${onnx}`, ...shared },
  ];
}

function sqliteVec(target: Target): CatalogEntry[] {
  const { os, cpu, libc } = PLATFORMS[target];
  if (libc === "musl") return [];
  const extension = { linux: "so", darwin: "dylib", windows: "dll" }[os];
  const file = `vec0.${extension}`;
  return [
    {
      name: "sqlite-vec",
      file,
      source: `node_modules/sqlite-vec-${os}-${cpu}/${file}`,
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
    modelFile("tokenizer", "tokenizer.json", true),
  ];
}

const DATA = { executable: false };
const WASM = "ort-wasm-simd-threaded.wasm";

/** The model's files keep the layout of the Hugging Face hub. */
function modelFile(name: AssetName, file: string, compress: boolean): CatalogEntry {
  return { ...DATA, name, file: `model/${file}`, source: `${MODEL}/${file}`, compress, group: "model" };
}

/** One asset as it is embedded in the binary. */
export interface PackedFile extends Pick<CatalogEntry, "name" | "file" | "group" | "executable"> {
  /** Size of the extracted file in bytes. */
  size: number;
  /** SHA-256 of the extracted file, lower-case hex. */
  sha256: string;
  encoding: "zstd" | "none";
  /** Path of the embedded bytes, for `Bun.file`. */
  embedded: string;
}

/** All assets of one build. */
export interface AssetPack {
  /** Changes when any asset changes. Names the directory of the extracted assets. */
  contentHash: string;
  files: readonly PackedFile[];
}

/** A damaged or missing asset on disk, and the reason. */
export interface AssetProblem {
  file: string;
  problem: "missing" | "changed" | "unsafe";
}

/** The files that mementor needs beside its code, from the binary or from a checkout. */
export interface Assets {
  /** Identifies the set of assets. Builds with equal assets share it. */
  readonly contentHash: string;
  has(name: AssetName): boolean;
  /** Returns the path of the file. First extracts or repairs the file and its group if needed. */
  path(name: AssetName): Promise<string>;
  /** Returns the file's bytes without writing anything to disk. */
  bytes(name: AssetName): Promise<Uint8Array>;
  /** Returns the SHA-256 of the file as lower-case hex. */
  sha256(name: AssetName): Promise<string>;
  /**
   * Returns the path of a file that is generated on this machine and stored beside the others. `make` writes the file to the
   * given path. It runs only when the file is missing or damaged, in at most one process at a time.
   */
  derived(name: string, make: (path: string) => Promise<void>): Promise<string>;
  /** Hashes every file on disk. An empty list means that all are intact. */
  verify(): Promise<AssetProblem[]>;
  /** Removes the files that `verify` reports. Each is restored at its next use. */
  repair(): Promise<void>;
}

/** The directories for extracted assets. */
export interface AssetPlaces {
  /** `${XDG_CACHE_HOME:-~/.cache}`; created if missing. */
  cacheDir: string;
  /** A directory of this user inside the temporary directory, used when `cacheDir` is not writable. */
  fallbackDir: string;
  /** Numeric user id; null on platforms without user ids. */
  uid: number | null;
  /** False for hooks, which have no time to unpack: a missing file then rejects with `assets_packed`. */
  mayUnpack: boolean;
  now: () => Date;
  warn: (message: string) => void;
}
