/** A matrix in blocks of 32 weights: a row is its blocks, a block a scale (float16) and 32 numbers from 0 to 15. */
export interface BlockMatrix {
  rows: number;
  columns: number;
  /** `rows * columns / 32` blocks of 18 bytes. */
  blocks: Uint8Array;
}

/** What the model's file holds: the sizes of the network, its pieces and its weights. */
export interface EngineFile {
  sizes: { hidden: number; layers: number; heads: number; positions: number; epsilon: number };
  special: { begin: number; end: number; padding: number; unknown: number };
  /** The pieces of the vocabulary and the logarithm of how likely each is, by token id. */
  pieces: readonly { text: string; score: number }[];
  matrix(name: string, columns: number): BlockMatrix;
  floats(name: string): Float32Array;
}

export const BLOCK = 32;
export const BLOCK_BYTES = 18;
const MAGIC = "E5S1";
const FLOATS = 0;

/**
 * Reads the model's file as the package's engine does (`e5_parse` in its `e5.c`). Little-endian. The table that maps
 * characters before a text is cut into pieces is passed over: it is the one of the tokenizer's library.
 *
 * @throws `TypeError` for another file, `RangeError` where it ends early.
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
