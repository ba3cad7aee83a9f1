import { GraphBuilder, onnxModel, type ReadConstant, type ReadGraph, readOnnx } from "./onnx.ts";

/** The only input. One unpadded text needs no attention mask, and all its tokens have the same type. */
const IDS = "input_ids";
const OUTPUT = "sentence_embedding";
const EPSILON = 1e-12;

/**
 * Rewrites a BERT model with int8 weights as a graph with fewer, larger steps. The new model takes one text at a time, without
 * padding, and returns only the vector of the first token. Its weights are the same; its vectors differ only by rounding.
 *
 * @param heads number of attention heads.
 * @throws `TypeError` for a model with another architecture.
 */
export function leanModel(onnx: Uint8Array, heads: number): Uint8Array {
  const model = new Weights(readOnnx(onnx));
  const graph = new LeanBuilder();
  const { hidden } = model;
  graph.integers("zero", 0);
  graph.integers("one", 1);
  let value = embeddings(graph, model);
  for (let layer = 0; layer < model.layers; layer++)
    value = layerOf(graph, model, { layer, heads, isLast: layer === model.layers - 1 }, value);
  const inputs = [value, graph.integers("form", 1, hidden)];
  graph.add({ operator: "Reshape", inputs, output: OUTPUT });
  return onnxModel({
    name: "lean",
    inputs: [{ name: IDS, type: "int64", shape: [1, "tokens"] }],
    outputs: [{ name: OUTPUT, type: "float", shape: [1, hidden] }],
    ...graph,
  });
}

/** An int8 matrix with a scale for each column. */
interface Matrix {
  weights: ReadConstant;
  scales: ReadConstant;
  bias: ReadConstant;
}

/** Reads a model's weights by their names in exports of `transformers`, quantised by ONNX Runtime. */
class Weights {
  readonly #graph: ReadGraph;
  readonly layers: number;

  constructor(graph: ReadGraph) {
    this.#graph = graph;
    const numbers = [...graph.constants.keys()].map((name) => /^encoder\.layer\.(\d+)\./.exec(name)?.[1]);
    this.layers = Math.max(0, ...numbers.map((number) => Number(number ?? -1) + 1));
    if (this.layers === 0) throw unknownForm();
  }

  get hidden(): number {
    return this.constant("embeddings.LayerNorm.weight").shape[0] ?? 0;
  }

  constant(name: string): ReadConstant {
    const found = this.#graph.constants.get(name);
    if (found === undefined) throw unknownForm();
    return found;
  }

  /** Returns the matrix of a dense layer, such as `encoder.layer.0.attention.self.query`. */
  matrix(name: string): Matrix {
    const path = `/${name.replaceAll(".", "/").replace("/layer/", "/layer.")}/MatMul_quant`;
    const step = this.#graph.steps.find((each) => each.name === path && each.operator === "MatMulInteger");
    const [, weights = "", , zero = ""] = step?.inputs ?? [];
    if (this.constant(zero).bytes.some((byte) => byte !== 0)) throw unknownForm();
    const scale = weights.replace(/_quantized$/, "_scale");
    return {
      weights: this.constant(weights),
      scales: this.constant(scale),
      bias: this.constant(`${name}.bias`),
    };
  }

  /** Returns an embedding table as floats. The table is uint8 with one scale. */
  table(name: string): Float32Array {
    const [scale] = floatsOf(this.constant(`embeddings.${name}.weight_scale`));
    const [zero = 0] = this.constant(`embeddings.${name}.weight_zero_point`).bytes;
    const { bytes } = this.constant(`embeddings.${name}.weight_quantized`);
    return Float32Array.from(bytes, (byte) => (byte - zero) * (scale ?? 1));
  }
}

function unknownForm(): TypeError {
  return new TypeError("the model is not a BERT model with int8 weights");
}

function floatsOf({ bytes }: ReadConstant): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}

/** Builds the steps of a model with 8-bit weights. */
class LeanBuilder extends GraphBuilder {
  /** Multiplies a value by a matrix. Quantises the value first, unless it is quantised already. */
  multiply(input: string | Quantized, name: string, { weights, scales, bias }: Matrix): string {
    const matrix = this.constant(`${name}.weights`, "int8", weights);
    const scale = this.constant(`${name}.scales`, "float", scales);
    const added = this.constant(`${name}.bias`, "float", bias);
    const isQuantized = typeof input !== "string";
    return this.add({
      operator: isQuantized ? "MatMulIntegerToFloat" : "DynamicQuantizeMatMul",
      contrib: true,
      inputs: isQuantized
        ? [input.values, matrix, input.scale, scale, input.zero, "", added]
        : [input, matrix, scale, "", added],
      output: name,
    });
  }

  quantized(input: string): Quantized {
    const [values, scale, zero] = [`${input}.bytes`, `${input}.scale`, `${input}.zero`];
    this.add({ operator: "DynamicQuantizeLinear", inputs: [input], output: values, more: [scale, zero] });
    return { values, scale, zero };
  }

  normalized(inputs: readonly [string, string], model: Weights, name: string, output: string): string {
    const sum = this.add({ operator: "Add", inputs, output: `${output}.sum` });
    const [weight, bias] = [`${name}.weight`, `${name}.bias`].map((each) =>
      this.constant(each, "float", model.constant(each)),
    );
    return this.add({
      operator: "LayerNormalization",
      inputs: [sum, weight ?? "", bias ?? ""],
      output,
      attributes: { epsilon: { float: EPSILON } },
    });
  }
}

/** An 8-bit value with its scale and zero point. */
interface Quantized {
  values: string;
  scale: string;
  zero: string;
}

/** Adds the token vectors and the position vectors. The vector of the only token type is already part of each position's. */
function embeddings(graph: LeanBuilder, model: Weights): string {
  const { hidden } = model;
  const kind = model.table("token_type_embeddings");
  const places = model.table("position_embeddings").map((number, at) => number + (kind[at % hidden] ?? 0));
  const positions = { shape: [places.length / hidden, hidden], bytes: new Uint8Array(places.buffer) };
  const word = "embeddings.word_embeddings.weight";
  const table = graph.constant("words.table", "uint8", model.constant(`${word}_quantized`));
  const scale = graph.constant("words.scale", "float", model.constant(`${word}_scale`));
  const zero = graph.constant("words.zero", "uint8", model.constant(`${word}_zero_point`));
  const bytes = graph.add({ operator: "Gather", inputs: [table, IDS], output: "words.bytes" });
  const words = graph.add({ operator: "DequantizeLinear", inputs: [bytes, scale, zero], output: "words" });
  const length = graph.add({
    operator: "Shape",
    inputs: [IDS],
    output: "length",
    attributes: { start: { int: 1 } },
  });
  const used = graph.add({
    operator: "Slice",
    inputs: [graph.constant("positions.all", "float", positions), "zero", length],
    output: "positions",
  });
  return graph.normalized([words, used], model, "embeddings.LayerNorm", "embeddings");
}

/** Adds one layer. The last layer computes only the first token, which attends to all tokens. */
function layerOf(
  graph: LeanBuilder,
  model: Weights,
  { layer, heads, isLast }: { layer: number; heads: number; isLast: boolean },
  input: string,
): string {
  const path = `encoder.layer.${layer}`;
  const at = (name: string) => `l${layer}.${name}`;
  const first = isLast
    ? graph.add({ operator: "Slice", inputs: [input, "zero", "one", "one"], output: at("first") })
    : input;
  const bytes = graph.quantized(input);
  const side = (name: string, value: string | Quantized) =>
    graph.multiply(value, at(name), model.matrix(`${path}.attention.self.${name}`));
  const attention = graph.add({
    operator: "MultiHeadAttention",
    contrib: true,
    inputs: [side("query", isLast ? first : bytes), side("key", bytes), side("value", bytes)],
    output: at("attention"),
    attributes: { num_heads: { int: heads } },
  });
  const dense = (value: string, output: string, name: string) =>
    graph.multiply(value, at(output), model.matrix(`${path}.${name}.dense`));
  const attended = graph.normalized(
    [dense(attention, "ao", "attention.output"), first],
    model,
    `${path}.attention.output.LayerNorm`,
    at("attended"),
  );
  const inner = dense(attended, "inner", "intermediate");
  const active = graph.add({ operator: "Gelu", contrib: true, inputs: [inner], output: at("active") });
  const outer = dense(active, "outer", "output");
  return graph.normalized([outer, attended], model, `${path}.output.LayerNorm`, at("out"));
}
