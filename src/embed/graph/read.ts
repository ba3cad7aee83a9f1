/** The steps and constants of an ONNX model. */
export interface ReadGraph {
  steps: readonly ReadStep[];
  constants: ReadonlyMap<string, ReadConstant>;
}

/** An operator call of a graph, with the names of its inputs and outputs. */
export interface ReadStep {
  name: string;
  operator: string;
  inputs: readonly string[];
}

/** A constant of a graph. Its bytes are little-endian, without padding. */
export interface ReadConstant {
  shape: readonly number[];
  bytes: Uint8Array;
}

/** A field of a message: its number and a numeric or binary value. */
interface Field {
  number: number;
  value: number | Uint8Array;
}

const [VARINT, FIXED64, LENGTH, FIXED32] = [0, 1, 2, 5];
/** Field numbers in `onnx.proto`. */
const MODEL_GRAPH = 7;
const GRAPH = { steps: 1, constants: 5 } as const;
const STEP = { inputs: 1, name: 3, operator: 4 } as const;
const TENSOR = { shape: 1, type: 2, floats: 4, integers: 5, name: 8, bytes: 9 } as const;
/** The element type `float`. */
const FLOAT = 1;

/** Reads the steps and constants of an ONNX model. Throws `TypeError` for bytes that are not a Protocol Buffers message. */
export function readOnnx(model: Uint8Array): ReadGraph {
  const graph = bytesOf(fieldsOf(model).find(({ number }) => number === MODEL_GRAPH)?.value);
  const fields = fieldsOf(graph);
  const all = (wanted: number) =>
    fields.filter(({ number }) => number === wanted).map(({ value }) => fieldsOf(bytesOf(value)));
  return {
    steps: all(GRAPH.steps).map(stepOf),
    constants: new Map(
      all(GRAPH.constants).map((tensor) => [textIn(tensor, TENSOR.name), constantOf(tensor)]),
    ),
  };
}

function stepOf(fields: readonly Field[]): ReadStep {
  const inputs = fields.filter(({ number }) => number === STEP.inputs).map(({ value }) => textOf(value));
  return { name: textIn(fields, STEP.name), operator: textIn(fields, STEP.operator), inputs };
}

/** Short constants are written as lists of numbers, long ones as bytes. */
function constantOf(fields: readonly Field[]): ReadConstant {
  const raw = fields.find(({ number }) => number === TENSOR.bytes);
  const type = fields.find(({ number }) => number === TENSOR.type)?.value;
  const listed = type === FLOAT ? listedFloats(fields) : listedBytes(fields);
  return { shape: numbersIn(fields, TENSOR.shape), bytes: raw === undefined ? listed : bytesOf(raw.value) };
}

function listedFloats(fields: readonly Field[]): Uint8Array {
  const pieces = fields.filter(({ number }) => number === TENSOR.floats).map(({ value }) => bytesOf(value));
  return new Uint8Array(Buffer.concat(pieces));
}

/** Returns the lowest byte of each listed number. These are the elements of an 8-bit tensor, also for negative numbers. */
function listedBytes(fields: readonly Field[]): Uint8Array {
  return Uint8Array.from(numbersIn(fields, TENSOR.integers), (each) => each & 0xff);
}

function numbersIn(fields: readonly Field[], wanted: number): number[] {
  return fields
    .filter(({ number }) => number === wanted)
    .flatMap(({ value }) => (typeof value === "number" ? [value] : packed(value)));
}

function packed(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { value, next } = varint(bytes, at);
    numbers.push(value);
    at = next;
  }
  return numbers;
}

function textIn(fields: readonly Field[], wanted: number): string {
  const found = fields.find(({ number }) => number === wanted);
  return found === undefined ? "" : textOf(found.value);
}

function textOf(value: number | Uint8Array): string {
  return new TextDecoder().decode(bytesOf(value));
}

function bytesOf(value: number | Uint8Array | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new TypeError("not an ONNX model");
}

function fieldsOf(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length; ) {
    const key = varint(bytes, at);
    const field = fieldAt(bytes, key.next, key.value % 8);
    fields.push({ number: Math.floor(key.value / 8), value: field.value });
    at = field.next;
  }
  return fields;
}

function fieldAt(bytes: Uint8Array, at: number, kind: number): { value: number | Uint8Array; next: number } {
  if (kind === VARINT) return varint(bytes, at);
  const length = kind === LENGTH ? varint(bytes, at) : { value: kind === FIXED32 ? 4 : 8, next: at };
  const end = length.next + length.value;
  if (![FIXED64, LENGTH, FIXED32].includes(kind) || end > bytes.length)
    throw new TypeError("not an ONNX model");
  return { value: bytes.subarray(length.next, end), next: end };
}

/** Reads a varint. For numbers beyond 2^53 and for negative ones, only the lowest bytes are right. */
function varint(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0;
  let low = 0;
  for (let at = start, place = 1; at < bytes.length && at < start + 10; at++, place *= 128) {
    const byte = bytes[at] ?? 0;
    value += (byte & 127) * place;
    if (at < start + 4) low |= (byte & 127) << (7 * (at - start));
    if (byte < 128) return { value: value <= Number.MAX_SAFE_INTEGER ? value : low, next: at + 1 };
  }
  throw new TypeError("not an ONNX model");
}
