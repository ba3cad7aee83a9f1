import { chmodSync, copyFileSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { MementorError } from "../../errors.ts";
import { ioError } from "../../io/errors.ts";
import { realPathIfExists, statIfExists } from "../../io/read.ts";
import { ensurePrivateDir } from "../../io/write.ts";
import { groupedDigits } from "../../text/numbers.ts";

/** Limits for the embedding models that users add. */
export const MODEL_LIMITS = {
  /** Quantised models with 560 million parameters have 570 MB. */
  weightsBytes: 1_500_000_000,
  /** Maximum size of every other file. */
  textBytes: 64_000_000,
  dimensions: 4_096,
  /** Chunks are shorter: at most 256 tokens of the built-in model. */
  tokens: 512,
} as const;

/** A file that a model's directory or repository offers. */
export interface OfferedFile {
  /** Path relative to the directory, separated by `/`. */
  path: string;
  /** Size in bytes. */
  size: number;
}

/** The file with 4-bit weights. */
export const FOUR_BITS = "onnx/model_q4.onnx";

/** The supported weights, best first. */
export const WEIGHTS = [
  "onnx/model_quantized.onnx",
  "onnx/model_int8.onnx",
  "onnx/model_uint8.onnx",
  FOUR_BITS,
  "onnx/model.onnx",
  "onnx/model_fp16.onnx",
] as const;

const REQUIRED = ["config.json", "tokenizer.json"] as const;
const OPTIONAL = [
  "tokenizer_config.json",
  "special_tokens_map.json",
  "modules.json",
  "sentence_bert_config.json",
  "config_sentence_transformers.json",
  "1_Pooling/config.json",
] as const;

/**
 * Chooses the files of an embedding model from those on offer; the weights come last. `where` names the model in errors. Throws
 * `model_invalid` when a file is missing or too large.
 */
export function chooseFiles<File extends OfferedFile>(offered: readonly File[], where: string): File[] {
  const find = (path: string) => offered.find((file) => file.path === path);
  for (const path of REQUIRED) if (!find(path)) throw unusableModel(where, `it has no ${path}`);
  const weights = WEIGHTS.flatMap((path) => find(path) ?? []);
  const [best] = weights.filter(({ path }) => !find(`${path}_data`));
  if (!best) {
    throw unusableModel(
      where,
      weights.length > 0
        ? `the weights of ${weights[0]?.path} are in a second file, which is not supported`
        : "it has neither onnx/model_quantized.onnx nor onnx/model.onnx",
    );
  }
  const texts = [...REQUIRED, ...OPTIONAL].flatMap((path) => find(path) ?? []);
  checkSize(texts, MODEL_LIMITS.textBytes, where);
  checkSize([best], MODEL_LIMITS.weightsBytes, where);
  return [...texts, best];
}

function checkSize(files: readonly OfferedFile[], max: number, where: string): void {
  for (const { path, size } of files) {
    if (size > max)
      throw unusableModel(where, `${path} is ${inMegabytes(size)}; the maximum is ${inMegabytes(max)}`);
    if (size === 0) throw unusableModel(where, `${path} is empty`);
  }
}

function inMegabytes(bytes: number): string {
  return `${groupedDigits(Math.ceil(bytes / 1e6))} MB`;
}

/** Returns the error for a model that mementor cannot use. */
export function unusableModel(where: string, why: string, cause?: unknown): MementorError {
  return new MementorError("model_invalid", `mementor cannot use the model ${where}: ${why}`, {
    cause,
    hint: "Use a feature-extraction model with config.json, tokenizer.json and onnx/model_quantized.onnx or onnx/model.onnx.",
  });
}

/**
 * Copies a model's files from a directory to `staging`, following links.
 *
 * @throws `not_found` when there is no directory; `model_invalid` when files are missing, empty or too large; `io`, `disk_full`
 * or `not_writable` when a file cannot be copied.
 */
export function copyModel(from: string, staging: string): void {
  if (!statIfExists(from)?.isDirectory())
    throw new MementorError("not_found", `there is no directory ${from}`, {
      hint: 'Give a directory that contains a model, e.g. from "git clone" or "huggingface-cli download".',
    });
  for (const { path } of chooseFiles(filesOf(from), from)) {
    const target = join(staging, path);
    try {
      ensurePrivateDir(dirname(target));
      copyFileSync(join(from, path), target);
      chmodSync(target, 0o600);
    } catch (error) {
      throw ioError(error, `copy ${join(from, path)}`);
    }
  }
}

/** Lists the files of a directory and of the subdirectories that models use. */
function filesOf(directory: string): OfferedFile[] {
  return ["", "onnx", "1_Pooling"].flatMap((folder) => {
    const within = join(directory, folder);
    if (!statIfExists(within)?.isDirectory()) return [];
    return readdirSync(within).flatMap((name) => {
      const found = statIfExists(join(within, name));
      return found?.isFile() ? { path: folder === "" ? name : `${folder}/${name}`, size: found.size } : [];
    });
  });
}

/** Returns the name of the model in a directory. In a snapshot of the hub's cache, the repository names it. */
export function nameOfDirectory(directory: string): string {
  const real = realPathIfExists(directory) ?? directory;
  const [, repository] =
    /(?<![^/\\])models--[^/\\]{1,200}--([^/\\]{1,200})[/\\]snapshots[/\\][0-9a-f]{40}$/.exec(real) ?? [];
  return repository ?? basename(real);
}
