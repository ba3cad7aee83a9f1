import { GraphBuilder, onnxModel } from "../../embed/graph/onnx.ts";

/** Names of the values that connect the layers. */
const INPUT = { ids: "input_ids", mask: "attention_mask" } as const;
const OUTPUT = "last_hidden_state";

/**
 * Writes the encoder as an ONNX model with the same 4-bit weights. It computes the same as the original engine, except that the
 * engine rounds activations to 8 bits.
 */
export function encoderModel(file: EngineFile): Uint8Array {
  const { hidden, layers } = file.sizes;
  const graph = new BlockBuilder();
  let value = embeddings(graph, file);
  for (let layer = 0; layer < layers; layer++)
    value = layerOf(graph, file, layer, value, layer === layers - 1);
  return onnxModel({
    name: "multilingual-e5-small",
    inputs: [
      { name: INPUT.ids, type: "int64", shape: ["batch", "tokens"] },
      { name: INPUT.mask, type: "int64", shape: ["batch", "tokens"] },
    ],
    outputs: [{ name: value, type: "float", shape: ["batch", "tokens", hidden] }],
    ...graph,
  });
}

/** Builds the steps of a model with 4-bit weights. */
class BlockBuilder extends GraphBuilder {
  floats(name: string, values: Float32Array, shape: readonly number[] = [values.length]): string {
    return this.constant(name, "float", { shape, bytes: new Uint8Array(values.buffer) });
  }

  /** Multiplies a value by a 4-bit matrix, which is stored with one row for each column of the result. */
  multiply(input: string, name: string, { rows, columns, blocks }: BlockMatrix): string {
    const perRow = columns / BLOCK;
    const { numbers, scales } = unpacked(blocks);
    const weights = this.constant(`${name}.weights`, "uint8", {
      shape: [rows, perRow, BLOCK / 2],
      bytes: pairs(numbers),
    });
    const attributes = { K: columns, N: rows, bits: 4, block_size: BLOCK, accuracy_level: 4 };
    return this.add({
      operator: "MatMulNBits",
      contrib: true,
      inputs: [input, weights, this.floats(`${name}.scales`, scales)],
      output: name,
      attributes: Object.fromEntries(Object.entries(attributes).map(([key, int]) => [key, { int }])),
    });
  }
}

/** Adds the token vectors and the position vectors. */
function embeddings(graph: BlockBuilder, file: EngineFile): string {
  const { hidden, positions, epsilon } = file.sizes;
  const matrix = file.matrix("emb.word", hidden);
  // The remaining rows belong to no piece.
  const rows = file.pieces.length;
  const { numbers, scales } = unpacked(matrix.blocks.subarray(0, rows * (hidden / BLOCK) * BLOCK_BYTES));
  const words = graph.add({
    operator: "GatherBlockQuantized",
    contrib: true,
    inputs: [
      graph.constant("words.weights", "uint8", {
        shape: [rows, hidden / 2],
        bytes: pairs(numbers),
      }),
      INPUT.ids,
      graph.floats("words.scales", scales, [rows, hidden / BLOCK]),
    ],
    output: "words",
    attributes: {
      gather_axis: { int: 0 },
      quantize_axis: { int: 1 },
      block_size: { int: BLOCK },
      bits: { int: 4 },
    },
  });
  const kind = file.floats("emb.type");
  // All tokens have the first type, so its vector is added to every position.
  const places = file.floats("emb.pos").map((number, i) => number + (kind[i % hidden] ?? 0));
  const length = graph.add({
    operator: "Shape",
    inputs: [INPUT.ids],
    output: "length",
    attributes: { start: { int: 1 } },
  });
  const used = graph.add({
    operator: "Slice",
    inputs: [graph.floats("positions.all", places, [positions, hidden]), graph.integers("start", 0), length],
    output: "positions",
  });
  const sum = graph.add({ operator: "Add", inputs: [words, used], output: "sum" });
  graph.add({ operator: "Cast", inputs: [INPUT.mask], output: "mask", attributes: { to: { int: 6 } } });
  return graph.add({
    operator: "LayerNormalization",
    inputs: [sum, ...normOf(graph, file, "emb.ln")],
    output: "embeddings",
    attributes: { epsilon: { float: epsilon } },
  });
}

function layerOf(
  graph: BlockBuilder,
  file: EngineFile,
  layer: number,
  input: string,
  isLast: boolean,
): string {
  const { hidden, heads, epsilon } = file.sizes;
  const at = (name: string) => `l${layer}.${name}`;
  const times = (value: string, name: string, columns = hidden) =>
    graph.multiply(value, at(name), file.matrix(at(`${name}.w`), columns));
  const bias = (name: string) => graph.floats(at(`${name}.b`), file.floats(at(`${name}.b`)));
  const normalized = (value: string, skip: string, [norm, added]: [string, string], output: string) =>
    graph.add({
      operator: "SkipLayerNormalization",
      contrib: true,
      inputs: [value, skip, ...normOf(graph, file, at(norm)), bias(added)],
      output,
      attributes: { epsilon: { float: epsilon } },
    });
  const sides = ["q", "k", "v"];
  const biases = Float32Array.from(sides.flatMap((side) => [...file.floats(at(`${side}.b`))]));
  const attention = graph.add({
    operator: "MultiHeadAttention",
    contrib: true,
    inputs: [...sides.map((side) => times(input, side)), graph.floats(at("qkv.b"), biases), "mask"],
    output: at("attention"),
    attributes: { num_heads: { int: heads } },
  });
  const attended = normalized(times(attention, "ao"), input, ["aln", "ao"], at("attended"));
  const inner = graph.add({
    operator: "BiasGelu",
    contrib: true,
    inputs: [times(attended, "fi"), bias("fi")],
    output: at("inner"),
  });
  const outer = times(inner, "fo", file.matrix(at("fi.w"), hidden).rows);
  return normalized(outer, attended, ["oln", "fo"], isLast ? OUTPUT : at("outer"));
}

function normOf(graph: BlockBuilder, file: EngineFile, name: string): string[] {
  return ["w", "b"].map((part) => graph.floats(`${name}.${part}`, file.floats(`${name}.${part}`)));
}

/** Returns the numbers and the scales of all blocks in order. A block has its second half in the high bits. */
function unpacked(blocks: Uint8Array): { numbers: Uint8Array; scales: Float32Array } {
  const count = blocks.byteLength / BLOCK_BYTES;
  const view = new DataView(blocks.buffer, blocks.byteOffset, blocks.byteLength);
  const numbers = new Uint8Array(count * BLOCK);
  const scales = new Float32Array(count);
  const half = BLOCK / 2;
  for (let block = 0; block < count; block++) {
    const start = block * BLOCK_BYTES;
    scales[block] = view.getFloat16(start, true);
    for (let i = 0; i < half; i++) {
      const both = blocks[start + 2 + i] ?? 0;
      numbers[block * BLOCK + i] = both & 0x0f;
      numbers[block * BLOCK + half + i] = both >> 4;
    }
  }
  return { numbers, scales };
}

/** Packs two numbers into each byte, the first in the low half. */
function pairs(numbers: Uint8Array): Uint8Array {
  return Uint8Array.from(
    { length: numbers.length / 2 },
    (_, i) => (numbers[2 * i] ?? 0) | ((numbers[2 * i + 1] ?? 0) << 4),
  );
}

/** A matrix in blocks of 32 weights: each row is a list of blocks, each block a float16 scale and 32 numbers from 0 to 15. */
interface BlockMatrix {
  rows: number;
  columns: number;
  /** `rows * columns / 32` blocks of 18 bytes. */
  blocks: Uint8Array;
}

/** The contents of the model's file: the sizes of the network, its pieces and its weights. */
export interface EngineFile {
  sizes: { hidden: number; layers: number; heads: number; positions: number; epsilon: number };
  special: { begin: number; end: number; padding: number; unknown: number };
  /** The pieces of the vocabulary with their log-likelihoods, by token id. */
  pieces: readonly { text: string; score: number }[];
  matrix(name: string, columns: number): BlockMatrix;
  floats(name: string): Float32Array;
}

const BLOCK = 32;
const BLOCK_BYTES = 18;
const MAGIC = "E5S1";
const FLOATS = 0;

/**
 * Reads the model's file like the package's engine (`e5_parse` in its `e5.c`). Little-endian. Skips the character map, because
 * the tokenizer's library has the same one.
 *
 * @throws `TypeError` for another file, `RangeError` for a truncated one.
 */
export function readEngineFile(bytes: Uint8Array): EngineFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const skip = (count: number) => {
    at += count;
    return at - count;
  };
  const take = (count: number) => {
    const start = skip(count);
    return bytes.subarray(start, start + count);
  };
  const int = () => view.getInt32(skip(4), true);
  const long = () => Number(view.getBigUint64(skip(8), true));
  const float = () => view.getFloat32(skip(4), true);
  const text = (of: Uint8Array) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(of);
  if (text(take(MAGIC.length)) !== MAGIC) throw new TypeError("not a model of this engine");
  int();
  const [hidden, layers, heads] = [int(), int(), int()];
  int();
  int();
  const positions = int();
  int();
  const sizes = { hidden, layers, heads, positions, epsilon: float() };
  if (int() !== BLOCK) throw new TypeError(`its blocks do not have ${BLOCK} weights`);
  const count = int();
  const [begin, end, padding, unknown] = [int(), int(), int(), int()];
  const length = long();
  const starts = Array.from({ length: count + 1 }, int);
  const scores = Array.from({ length: count }, float);
  const letters = take(length);
  const pieces = scores.map((score, id) => ({
    text: text(letters.subarray(starts[id], starts[id + 1])),
    score,
  }));
  int();
  take(int());
  const tensors = new Map(
    Array.from({ length: int() }, () => {
      const name = text(take(view.getUint16(skip(2), true)));
      const kind = take(1)[0];
      int();
      const start = long();
      return [name, { kind, bytes: bytes.subarray(start, start + long()) }] as const;
    }),
  );
  const find = (name: string) => {
    const found = tensors.get(name);
    if (found === undefined) throw new TypeError(`it has no tensor ${name}`);
    return found;
  };
  return {
    sizes,
    special: { begin, end, padding, unknown },
    pieces,
    matrix(name, columns) {
      const { kind, bytes: blocks } = find(name);
      const rows = (blocks.byteLength / BLOCK_BYTES) * (BLOCK / columns);
      if (kind === FLOATS || !Number.isInteger(rows)) throw new TypeError(`${name} is no matrix of blocks`);
      return { rows, columns, blocks };
    },
    floats(name) {
      const { kind, bytes: values } = find(name);
      if (kind !== FLOATS) throw new TypeError(`${name} holds no floats`);
      return new Float32Array(new Uint8Array(values).buffer);
    },
  };
}
