import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { tableModel } from "./onnx.ts";

const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
const SIGNS = Array.from("abcdefghijklmnopqrstuvwxyz0123456789");
const PUNCTUATION = Array.from("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~");
const WORDS =
  "word token the a is in of to why did we how what cache sqlite database index test flaky window parser build error fix text vector model search memory session turn query passage";

/** What varies between the models that tests make. */
export interface TinyModel {
  dimensions?: number;
  /** Another number, other vectors. */
  seed?: number;
  inputs?: readonly string[];
  output?: string;
  weights?: string;
  /** More files, or others in place of the usual ones; null leaves one out. */
  files?: Readonly<Record<string, object | string | null>>;
}

/**
 * Writes a feature-extraction model of some 20 KB in the layout of the hub: each token has a vector of its own, and
 * those of a text's tokens are averaged, so that texts that share words are near each other.
 */
export async function writeTinyModel(directory: string, options: TinyModel = {}): Promise<string> {
  const { dimensions = 16, seed = 1, output = "last_hidden_state", weights = "onnx/model.onnx" } = options;
  const inputs = options.inputs ?? ["input_ids", "attention_mask", "token_type_ids"];
  const vocabulary = [
    ...new Set([
      ...SPECIAL,
      ...SIGNS,
      ...SIGNS.map((sign) => `##${sign}`),
      ...PUNCTUATION,
      ...WORDS.split(" "),
    ]),
  ];
  const rows = vocabulary.map((token) => rowOf(token, dimensions, seed));
  const files: Record<string, object | string | Uint8Array | null> = {
    "config.json": { model_type: "bert", hidden_size: dimensions, max_position_embeddings: 64 },
    "tokenizer.json": tokenizerOf(vocabulary),
    "tokenizer_config.json": { tokenizer_class: "BertTokenizer", model_max_length: 64, do_lower_case: true },
    "1_Pooling/config.json": {
      word_embedding_dimension: dimensions,
      pooling_mode_cls_token: false,
      pooling_mode_mean_tokens: true,
      include_prompt: true,
    },
    [weights]: tableModel({ rows, inputs, output }),
    ...options.files,
  };
  for (const [name, content] of Object.entries(files)) {
    if (content === null) continue;
    const path = join(directory, name);
    mkdirSync(join(path, ".."), { recursive: true });
    const isRaw = typeof content === "string" || content instanceof Uint8Array;
    await Bun.write(path, isRaw ? content : JSON.stringify(content));
  }
  return directory;
}

/** Special tokens have next to nothing to say. */
function rowOf(token: string, dimensions: number, seed: number): Float32Array {
  const scale = SPECIAL.includes(token) ? 0.01 : 1;
  return Float32Array.from({ length: dimensions }, (_, i) => {
    const hash = Bun.hash.xxHash32(`${token}/${i}`, seed);
    return scale * (hash / 2 ** 31 - 1);
  });
}

function tokenizerOf(vocabulary: readonly string[]): object {
  const special = (id: number) => ({ id, content: vocabulary[id], special: true, normalized: false });
  const frame = (name: string) => ({ SpecialToken: { id: name, type_id: 0 } });
  const text = { Sequence: { id: "A", type_id: 0 } };
  const named = (name: string) => ({ id: name, ids: [vocabulary.indexOf(name)], tokens: [name] });
  return {
    version: "1.0",
    added_tokens: SPECIAL.map((_, id) => ({
      ...special(id),
      single_word: false,
      lstrip: false,
      rstrip: false,
    })),
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [frame("[CLS]"), text, frame("[SEP]")],
      pair: [frame("[CLS]"), text, frame("[SEP]")],
      special_tokens: { "[CLS]": named("[CLS]"), "[SEP]": named("[SEP]") },
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
    },
  };
}
