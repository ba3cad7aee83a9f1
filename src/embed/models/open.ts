import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { MementorError } from "../../errors.ts";
import type { Embedder, IdTokenizer } from "../embedder.ts";
import type { EmbedPurpose } from "../native/embedder.ts";
import { type NativeFiles, nativeSource } from "../native/source.ts";
import { FOUR_BITS } from "./choose.ts";
import type { InstalledModel, Manifest } from "./manifest.ts";

/** The ONNX runtimes among the assets. */
interface OnnxFiles extends NativeFiles {
  bytes(name: "ort-wasm"): Promise<Uint8Array>;
}

/** Opens one of the user's models with the native runtime. Prompts get the query prefix, stored texts the document prefix. */
export async function openNativeModel(
  model: InstalledModel,
  files: OnnxFiles,
  purpose: EmbedPurpose,
): Promise<Embedder> {
  const { createNativeEmbedder } = await import("../native/embedder.ts");
  const [source, tokenizer] = await Promise.all([
    nativeSource(files, {
      id: model.id,
      pooling: model.pooling,
      needsPrepacking: model.weights === FOUR_BITS,
      heads: null,
      onnx: () => weightsOf(model),
    }),
    openTokenizerOf(model, files, purpose),
  ]);
  return createNativeEmbedder(model, tokenizer, source, purpose);
}

/** Opens one of the user's models with WebAssembly. */
export async function openWasmModel(
  model: InstalledModel,
  files: OnnxFiles,
  purpose: EmbedPurpose,
): Promise<Embedder> {
  const { createWasmEmbedder } = await import("../wasm.ts");
  const [runtime, onnx, tokenizer] = await Promise.all([
    files.bytes("ort-wasm"),
    weightsOf(model),
    openTokenizerOf(model, files, purpose),
  ]);
  return createWasmEmbedder(model, tokenizer, { runtime, model: onnx, pooling: model.pooling });
}

function weightsOf({ directory, weights }: InstalledModel): Promise<Uint8Array> {
  return Bun.file(join(directory, weights)).bytes();
}

/** Upper bound of the average characters per token. Text beyond it would be truncated anyway. */
const MAX_CHARS_PER_TOKEN = 32;

/** The special tokens that a model expects before and after a text. */
interface Frame {
  before: readonly number[];
  after: readonly number[];
}

/**
 * Opens any model's tokenizer from its parsed `tokenizer.json` and `tokenizer_config.json`.
 *
 * @throws `TypeError` for a tokenizer that encodes a text differently when it adds special tokens.
 */
export function openModelTokenizer(tokenizer: object, config: object, prefix: string): IdTokenizer {
  const library = new Tokenizer(tokenizer, config);
  const idsOf = (text: string) => library.encode(text.toWellFormed(), { add_special_tokens: false }).ids;
  const frame = frameOf(library);
  return {
    count: (text) => idsOf(text).length,
    encode(text, maxTokens) {
      const room = maxTokens - frame.before.length - frame.after.length;
      const head = `${prefix}${text}`.slice(0, room * MAX_CHARS_PER_TOKEN);
      const ids = [...frame.before, ...idsOf(head).slice(0, room), ...frame.after];
      return ids.length > 0 ? ids : [0];
    },
  };
}

function frameOf(library: Tokenizer): Frame {
  const plain = library.encode("a", { add_special_tokens: false }).ids;
  const framed = library.encode("a", { add_special_tokens: true }).ids;
  const last = framed.length - plain.length;
  const start = Array.from({ length: last + 1 }, (_, at) => at).find((at) =>
    plain.every((id, i) => framed[at + i] === id),
  );
  if (start === undefined)
    throw new TypeError("the tokenizer encodes a text differently when it adds special tokens");
  return { before: framed.slice(0, start), after: framed.slice(start + plain.length) };
}

/** Version of the block's layout. Raise it when the same pieces are laid out differently. */
const LAYOUT = 1;

/** The access to derived files, which hold the fast-loading form of a tokenizer. */
interface DerivedFiles {
  derived(name: string, make: (path: string) => Promise<void>): Promise<string>;
}

/** Returns the kind of tokenizer that a model's directory needs. */
export async function tokenizerKind(directory: string): Promise<Manifest["tokenizer"]> {
  const { unigramParts } = await import("../tokenizer/unigram.ts");
  return unigramParts(await jsonIn(directory, "tokenizer.json")) === null ? "library" : "unigram";
}

/**
 * Opens the tokenizer of one of the user's models with a prefix, for queries or for stored texts.
 *
 * @throws `model_invalid` when it cannot be used.
 */
export async function openTokenizerOf(
  model: InstalledModel,
  files: DerivedFiles,
  purpose: EmbedPurpose,
): Promise<IdTokenizer> {
  const prefix = purpose === "ingest" ? model.documentPrefix : model.queryPrefix;
  if (model.tokenizer === "unigram") return openUnigramOf(model, files, prefix);
  const [tokenizer, config] = await Promise.all([
    jsonIn(model.directory, "tokenizer.json"),
    jsonIn(model.directory, "tokenizer_config.json"),
  ]);
  return orInvalid(model, () => openModelTokenizer(tokenizer, config, prefix));
}

async function openUnigramOf(
  model: InstalledModel,
  files: DerivedFiles,
  prefix: string,
): Promise<IdTokenizer> {
  const path = await files.derived(`${model.id}-pieces-${LAYOUT}`, async (path) => {
    const [{ buildUnigram }, { requireUnigram }, json] = await Promise.all([
      import("../tokenizer/unigram.ts"),
      import("../tokenizer/unigram.ts"),
      jsonIn(model.directory, "tokenizer.json"),
    ]);
    await Bun.write(
      path,
      orInvalid(model, () => buildUnigram(requireUnigram(json))),
    );
  });
  const { openUnigram } = await import("../tokenizer/unigram.ts");
  // `Bun.mmap` does not exist on Windows.
  const bytes = process.platform === "win32" ? readFileSync(path) : Bun.mmap(path, { shared: false });
  return orInvalid(model, () => openUnigram(bytes, prefix));
}

async function jsonIn(directory: string, file: string): Promise<object> {
  const found = Bun.file(join(directory, file));
  return (await found.exists()) ? found.json() : {};
}

function orInvalid<T>(model: InstalledModel, make: () => T): T {
  try {
    return make();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new MementorError("model_invalid", `the tokenizer of ${model.name} cannot be used: ${why}`, {
      cause,
    });
  }
}
