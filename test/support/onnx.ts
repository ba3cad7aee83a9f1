/** Just enough of ONNX's protocol buffers to write models of one look-up table. */

type Field = readonly [number: number, value: number | string | Uint8Array];

const LENGTH_DELIMITED = 2;
const FLOAT = 1;
const INT64 = 7;
const ATTRIBUTE = { int: 2, ints: 7 };

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

function message(...fields: readonly Field[]): Uint8Array {
  const parts = fields.map(([number, value]) => {
    if (typeof value === "number") return Uint8Array.from([...varint(number * 8), ...varint(value)]);
    const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
    const head = Uint8Array.from([...varint(number * 8 + LENGTH_DELIMITED), ...varint(bytes.length)]);
    return Buffer.concat([head, bytes]);
  });
  return Buffer.concat(parts);
}

function valueInfo(name: string, type: number, dims: readonly string[]): Uint8Array {
  const shape = message(...dims.map((dim): Field => [1, message([2, dim])]));
  return message([1, name], [2, message([1, message([1, type], [2, shape])])]);
}

/** What the model looks like from outside. */
export interface TableModel {
  /** A row for each token; each row has as many values as a vector dimensions. */
  rows: readonly Float32Array[];
  inputs: readonly string[];
  output: string;
}

/** Returns the bytes of an ONNX model that gives each token of `input_ids` its row: `[batch, tokens, dimensions]`. */
export function tableModel({ rows, inputs, output }: TableModel): Uint8Array {
  const dimensions = rows[0]?.length ?? 0;
  const node = message([1, "table"], [1, "input_ids"], [2, output], [3, "look-up"], [4, "Gather"]);
  const shape = ["batch", "tokens", ...(dimensions > 1 ? ["dimensions"] : [])];
  return model(
    [1, node],
    [5, tableOf(rows)],
    ...inputs.map((name): Field => [11, valueInfo(name, INT64, ["batch", "tokens"])]),
    [12, valueInfo(output, FLOAT, shape)],
  );
}

/**
 * Returns the bytes of an ONNX model for any vocabulary: the row of a token is that of its id modulo the number of rows, and
 * the vector of a text, `[batch, dimensions]`, is the mean of its tokens' rows.
 */
export function meanModel(rows: readonly Float32Array[]): Uint8Array {
  const count = message(
    [2, INT64],
    [8, "count"],
    [9, new Uint8Array(BigInt64Array.of(BigInt(rows.length)).buffer)],
  );
  const output = "sentence_embedding";
  return model(
    [1, message([1, "input_ids"], [1, "count"], [2, "rows"], [3, "fold"], [4, "Mod"])],
    [1, message([1, "table"], [1, "rows"], [2, "vectors"], [3, "look-up"], [4, "Gather"])],
    [
      1,
      message(
        [1, "vectors"],
        [2, output],
        [3, "mean"],
        [4, "ReduceMean"],
        [5, message([1, "axes"], [8, 1], [20, ATTRIBUTE.ints])],
        [5, message([1, "keepdims"], [3, 0], [20, ATTRIBUTE.int])],
      ),
    ],
    [5, tableOf(rows)],
    [5, count],
    [11, valueInfo("input_ids", INT64, ["batch", "tokens"])],
    [12, valueInfo(output, FLOAT, ["batch", "dimensions"])],
  );
}

function tableOf(rows: readonly Float32Array[]): Uint8Array {
  const dimensions = rows[0]?.length ?? 0;
  const dims: Field[] = [rows.length, ...(dimensions > 1 ? [dimensions] : [])].map((size) => [1, size]);
  const data = Buffer.concat(rows.map((row) => new Uint8Array(row.buffer, row.byteOffset, row.byteLength)));
  return message(...dims, [2, FLOAT], [8, "table"], [9, data]);
}

function model(...graph: readonly Field[]): Uint8Array {
  const named = message(...graph, [2, "tiny"]);
  return message([1, 8], [2, "mementor's tests"], [7, named], [8, message([1, ""], [2, 13])]);
}
