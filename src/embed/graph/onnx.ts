import { type IField, Root } from "protobufjs/light";

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

const one = (type: string, id: number): IField => ({ type, id });
const many = (type: string, id: number) => ({
  ...one(type, id),
  rule: "repeated",
  options: { packed: false },
});

/** The used part of `onnx.proto`. Its int64 fields have small numbers here, and are encoded alike as uint32. */
const MODEL = Root.fromJSON({
  nested: {
    Model: {
      fields: {
        format: one("uint32", 1),
        producer: one("string", 2),
        graph: one("Graph", 7),
        operators: many("Operators", 8),
      },
    },
    Operators: { fields: { domain: one("string", 1), version: one("uint32", 2) } },
    Graph: {
      fields: {
        steps: many("Step", 1),
        name: one("string", 2),
        constants: many("Constant", 5),
        inputs: many("Port", 11),
        outputs: many("Port", 12),
      },
    },
    Step: {
      fields: {
        inputs: many("string", 1),
        outputs: many("string", 2),
        name: one("string", 3),
        operator: one("string", 4),
        attributes: many("Attribute", 5),
        domain: one("string", 7),
      },
    },
    Attribute: {
      fields: {
        name: one("string", 1),
        float: one("float", 2),
        int: one("uint32", 3),
        type: one("uint32", 20),
      },
    },
    Constant: {
      fields: {
        shape: many("uint32", 1),
        type: one("uint32", 2),
        floats: many("float", 4),
        integers: many("int32", 5),
        name: one("string", 8),
        bytes: one("bytes", 9),
      },
    },
    Port: { fields: { name: one("string", 1), value: one("Value", 2) } },
    Value: { fields: { tensor: one("Tensor", 1) } },
    Tensor: { fields: { type: one("uint32", 1), shape: one("Shape", 2) } },
    Shape: { fields: { sizes: many("Size", 1) } },
    Size: { fields: { known: one("uint32", 1), name: one("string", 2) } },
  },
}).lookupType("Model");

/** Serialises a graph as an ONNX model. Equal graphs give equal bytes. */
export function onnxModel({ name, inputs, outputs, constants, steps }: Graph): Uint8Array {
  const model = {
    format: FORMAT,
    producer: "mementor",
    graph: {
      name,
      steps: steps.map(encodedStep),
      constants: constants.map((constant) => ({ ...constant, type: TYPE[constant.type] })),
      inputs: inputs.map(encodedPort),
      outputs: outputs.map(encodedPort),
    },
    operators: [
      { domain: "", version: OPERATORS },
      { domain: CONTRIB, version: 1 },
    ],
  };
  return MODEL.encode(model).finish();
}

function encodedStep({ operator, contrib = false, inputs, output, more = [], attributes = {} }: Step) {
  const given = Object.entries(attributes).map(([name, value]) => ({
    name,
    ...value,
    type: "int" in value ? INT : FLOAT,
  }));
  return {
    inputs,
    outputs: [output, ...more],
    name: output,
    operator,
    attributes: given,
    ...(contrib && { domain: CONTRIB }),
  };
}

function encodedPort({ name, type, shape }: Port) {
  const sizes = shape.map((size) => (typeof size === "number" ? { known: size } : { name: size }));
  return { name, value: { tensor: { type: TYPE[type], shape: { sizes } } } };
}

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
export type ReadConstant = Pick<Constant, "shape" | "bytes">;

interface DecodedConstant extends ReadConstant {
  name: string;
  type: number;
  floats: readonly number[];
  integers: readonly number[];
}

/** Reads the steps and constants of an ONNX model. Throws `TypeError` for bytes that are not a Protocol Buffers message. */
export function readOnnx(model: Uint8Array): ReadGraph {
  const { steps, constants } = decodedGraph(model);
  return {
    steps: steps.map(({ name, operator, inputs }) => ({ name, operator, inputs })),
    constants: new Map(
      constants.map(({ name, shape, ...values }) => [name, { shape, bytes: bytesOf(values) }]),
    ),
  };
}

function decodedGraph(model: Uint8Array): { steps: ReadStep[]; constants: DecodedConstant[] } {
  try {
    const { graph } = MODEL.toObject(MODEL.decode(model), { arrays: true, defaults: true });
    if (graph !== null) return graph;
  } catch (cause) {
    throw new TypeError("not an ONNX model", { cause });
  }
  throw new TypeError("not an ONNX model");
}

/** Short constants are written as lists of numbers, long ones as bytes. The lowest byte of a number is an 8-bit element. */
function bytesOf({ type, floats, integers, bytes }: Omit<DecodedConstant, "name" | "shape">): Uint8Array {
  if (bytes.length > 0) return bytes;
  if (type === TYPE.float) return new Uint8Array(Float32Array.from(floats).buffer);
  return Uint8Array.from(integers, (each) => each & 0xff);
}
