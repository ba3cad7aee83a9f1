/** Just enough of ONNX's protocol buffers to write a model of one look-up table. */

type Field = readonly [number: number, value: number | string | Uint8Array];

const LENGTH_DELIMITED = 2;
const FLOAT = 1;
const INT64 = 7;

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
  const dims: Field[] = [rows.length, ...(dimensions > 1 ? [dimensions] : [])].map((size) => [1, size]);
  const data = Buffer.concat(rows.map((row) => new Uint8Array(row.buffer, row.byteOffset, row.byteLength)));
  const table = message(...dims, [2, FLOAT], [8, "table"], [9, data]);
  const node = message([1, "table"], [1, "input_ids"], [2, output], [3, "look-up"], [4, "Gather"]);
  const shape = ["batch", "tokens", ...(dimensions > 1 ? ["dimensions"] : [])];
  const graph = message(
    [1, node],
    [2, "tiny"],
    [5, table],
    ...inputs.map((name): Field => [11, valueInfo(name, INT64, ["batch", "tokens"])]),
    [12, valueInfo(output, FLOAT, shape)],
  );
  return message([1, 8], [2, "mementor's tests"], [7, graph], [8, message([1, ""], [2, 13])]);
}
