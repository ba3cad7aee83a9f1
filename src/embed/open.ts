import { MementorError } from "../errors.ts";
import type { Embedder } from "./embedder.ts";
import { BGE_HEADS, BGE_SMALL } from "./embedder.ts";
import type { InstalledModel } from "./models/manifest.ts";
import type { EmbedPurpose } from "./native/embedder.ts";
import { type NativeFiles, nativeSource } from "./native/source.ts";
import { buildVocabulary, openVocabulary } from "./tokenizer/vocabulary.ts";
import type { WordPieceTokenizer } from "./tokenizer/wordpiece.ts";

/** The assets that an embedder needs. */
export interface EmbedderFiles extends NativeFiles {
  has(name: "ort-binding" | "vocabulary"): boolean;
  path(name: "ort-binding"): Promise<string>;
  bytes(name: EmbedderData): Promise<Uint8Array>;
}

/** Name of the derived vocabulary. Raise its number when the block is built differently. */
const VOCABULARY = `${BGE_SMALL.id}-vocabulary-1`;

type EmbedderData = "model" | "tokenizer" | "vocabulary" | "ort-wasm";

export interface EmbedderRequest {
  files: EmbedderFiles;
  /** One of the user's models; the built-in model when absent. */
  model?: InstalledModel | null;
  /** `auto` prefers native and falls back to WASM, except for prompts, which cannot wait that long. */
  runtime: "native" | "wasm" | "auto";
  purpose: EmbedPurpose;
  warn: (message: string) => void;
}

/**
 * Opens the embedder of a model. Rejects with a `MementorError` when that is impossible; the caller can still search by keywords.
 */
export async function openEmbedder(request: EmbedderRequest): Promise<Embedder> {
  if (request.runtime === "wasm") return openWasm(request);
  try {
    return await openNative(request);
  } catch (error) {
    if (request.runtime === "native" || request.purpose === "prompt" || !isUnavailable(error)) throw error;
    // Without any native runtime for this platform, WASM is normal and needs no warning.
    if (request.files.has("ort-binding"))
      request.warn(`${error.message}; using the WASM runtime instead, which is ten times slower`);
    return openWasm(request);
  }
}

async function openNative({ files, model, purpose }: EmbedderRequest): Promise<Embedder> {
  if (!files.has("ort-binding"))
    throw new MementorError("embedder_unavailable", "no native runtime exists for this platform");
  if (model) return (await import("./models/open.ts")).openNativeModel(model, files, purpose);
  const builtIn = {
    id: BGE_SMALL.id,
    pooling: "cls",
    needsPrepacking: false,
    heads: BGE_HEADS,
    onnx: () => files.bytes("model"),
  } as const;
  const { createNativeEmbedder } = await import("./native/embedder.ts");
  const [source, tokenizer] = await Promise.all([nativeSource(files, builtIn), openTokenizer(files)]);
  return createNativeEmbedder(BGE_SMALL, tokenizer, source, purpose);
}

async function openWasm({ files, model, purpose }: EmbedderRequest): Promise<Embedder> {
  if (model) return (await import("./models/open.ts")).openWasmModel(model, files, purpose);
  const { createWasmEmbedder } = await import("./wasm.ts");
  const { leanModel } = await import("./graph/lean.ts");
  const [runtime, onnx, tokenizer] = await Promise.all([
    files.bytes("ort-wasm"),
    files.bytes("model"),
    openTokenizer(files),
  ]);
  return createWasmEmbedder(BGE_SMALL, tokenizer, {
    runtime,
    model: leanModel(onnx, BGE_HEADS),
    pooling: "cls",
  });
}

/** Opens the tokenizer alone. It needs neither a runtime nor the model's weights. */
export async function openTokenizer(
  files: Pick<EmbedderFiles, "has" | "bytes" | "derived">,
): Promise<WordPieceTokenizer> {
  const { createTokenizer } = await import("./tokenizer/wordpiece.ts");
  return createTokenizer(openVocabulary(await vocabularyBytes(files)));
}

/** Returns the vocabulary. A binary contains it; a checkout builds it once. */
async function vocabularyBytes(files: Pick<EmbedderFiles, "has" | "bytes" | "derived">): Promise<Uint8Array> {
  if (files.has("vocabulary")) return files.bytes("vocabulary");
  const built = await files.derived(VOCABULARY, async (path) => {
    await Bun.write(path, buildVocabulary(new TextDecoder().decode(await files.bytes("tokenizer"))));
  });
  return Bun.file(built).bytes();
}

function isUnavailable(error: unknown): error is MementorError {
  return error instanceof MementorError && error.code === "embedder_unavailable";
}
