/** Element types of a tensor by their ONNX numbers. */
const TYPE = { float: 1, uint8: 2, int8: 3, int32: 6, int64: 7 } as const;
export type ElementType = keyof typeof TYPE;

/** A constant tensor of a graph. */
export interface Constant {
  name: string;
  type: ElementType;
  shape: readonly number[];
  /** The elements in little-endian order, without padding. */
  bytes: Uint8Array;
}

/** An operator call in a graph. `contrib` marks operators that ONNX Runtime adds to the ONNX standard. */
export interface Step {
  operator: string;
  contrib?: boolean;
  /** Names of the input values. An empty name leaves an optional input out. */
  inputs: readonly string[];
  output: string;
  /** Names of additional outputs, for the few operators that have several. */
  more?: readonly string[];
  attributes?: Readonly<Record<string, { int: number } | { float: number }>>;
}

/** An input or output of a graph. A dimension given as text is known only at run time. */
export interface Port {
  name: string;
  type: ElementType;
  shape: readonly (number | string)[];
}

export interface Graph {
  name: string;
  inputs: readonly Port[];
  outputs: readonly Port[];
  constants: readonly Constant[];
  steps: readonly Step[];
}

/** Collects the constants and steps of a graph. Each method that adds one returns the name of its result. */
export class GraphBuilder {
  readonly constants: Constant[] = [];
  readonly steps: Step[] = [];

  constant(name: string, type: ElementType, { shape, bytes }: Pick<Constant, "shape" | "bytes">): string {
    this.constants.push({ name, type, shape, bytes });
    return name;
  }

  integers(name: string, ...values: number[]): string {
    const bytes = new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
    return this.constant(name, "int64", { shape: [values.length], bytes });
  }

  add(step: Step): string {
    this.steps.push(step);
    return step.output;
  }
}

/** Versions of the ONNX format and of its operators. */
const FORMAT = 8;
const OPERATORS = 17;
const CONTRIB = "com.microsoft";
/** ONNX attribute types. */
const FLOAT = 1;
const INT = 2;

/** Serialises a graph as an ONNX model, with the field numbers of `onnx.proto`. */
export function onnxModel(graph: Graph): Uint8Array {
  const operators = (domain: string, version: number) =>
    new Message([
      [1, domain],
      [2, version],
    ]);
  return encodeMessage(
    new Message([
      [1, FORMAT],
      [2, "mementor"],
      [7, graphMessage(graph)],
      [8, [operators("", OPERATORS), operators(CONTRIB, 1)]],
    ]),
  );
}

function graphMessage({ name, inputs, outputs, constants, steps }: Graph): Message {
  return new Message([
    [1, steps.map(stepMessage)],
    [2, name],
    [5, constants.map(constantMessage)],
    [11, inputs.map(portMessage)],
    [12, outputs.map(portMessage)],
  ]);
}

function stepMessage({
  operator,
  contrib = false,
  inputs,
  output,
  more = [],
  attributes = {},
}: Step): Message {
  const made = Object.entries(attributes).map(([name, value]) =>
    "int" in value
      ? new Message([
          [1, name],
          [3, value.int],
          [20, INT],
        ])
      : new Message([
          [1, name],
          [2, new Float(value.float)],
          [20, FLOAT],
        ]),
  );
  return new Message([
    [1, inputs],
    [2, [output, ...more]],
    [3, output],
    [4, operator],
    [5, made],
    ...(contrib ? ([[7, CONTRIB]] as const) : []),
  ]);
}

function constantMessage({ name, type, shape, bytes }: Constant): Message {
  return new Message([
    [1, shape],
    [2, TYPE[type]],
    [8, name],
    [9, bytes],
  ]);
}

function portMessage({ name, type, shape }: Port): Message {
  const sizes = shape.map((size) => new Message([typeof size === "number" ? [1, size] : [2, size]]));
  const tensor = new Message([
    [1, TYPE[type]],
    [2, new Message([[1, sizes]])],
  ]);
  return new Message([
    [1, name],
    [2, new Message([[1, tensor]])],
  ]);
}

/** A field of a message: its number and one value or several. */
type Field = readonly [number: number, value: FieldValue | readonly FieldValue[]];
type FieldValue = number | string | Uint8Array | Message | Float;

/** A number to serialise as float32. */
export class Float {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A Protocol Buffers message. */
export class Message {
  readonly fields: readonly Field[];

  constructor(fields: readonly Field[]) {
    this.fields = fields;
  }
}

const VARINT = 0;
const LENGTH = 2;
const FIXED = 5;

/** Serialises a message. Equal messages give equal bytes. Plain numbers must be non-negative integers. */
export function encodeMessage(message: Message): Uint8Array {
  return Buffer.concat(partsOf(message));
}

function partsOf({ fields }: Message): Uint8Array[] {
  return fields.flatMap(([number, value]) => {
    const values = Array.isArray(value) ? value : [value];
    return values.flatMap((each) => fieldParts(number, each));
  });
}

function fieldParts(number: number, value: FieldValue): Uint8Array[] {
  const key = (type: number) => varint(number * 8 + type);
  if (typeof value === "number") return [key(VARINT), varint(value)];
  if (value instanceof Float) return [key(FIXED), new Uint8Array(Float32Array.of(value.value).buffer)];
  const parts = value instanceof Message ? partsOf(value) : [bytesOf(value)];
  const length = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return [key(LENGTH), varint(length), ...parts];
}

function bytesOf(value: string | Uint8Array): Uint8Array {
  return typeof value === "string" ? new TextEncoder().encode(value) : value;
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Uint8Array.from([...bytes, rest]);
}
