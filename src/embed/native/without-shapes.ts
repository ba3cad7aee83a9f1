import { FlatBuffer } from "./flat-buffer.ts";

/** Field numbers in ONNX Runtime's format for models (`ort.fbs`). */
const FIELD = {
  session: { model: 1 },
  model: { graph: 7 },
  graph: { values: 1 },
  value: { type: 2 },
  type: { kind: 1, content: 2 },
  tensor: { shape: 1 },
} as const;
const TENSOR = 1;

/**
 * Returns a model in ORT format without the shapes of its inputs and intermediate values. It computes the same.
 *
 * While it loads a model, ONNX Runtime looks for buffers that it can use twice, and for that compares the shapes of
 * values. They depend on the length of the text, so nearly all comparisons are in vain, and take two thirds of the
 *   time.
 * Values without a shape are not compared.
 *
 * @throws `TypeError` for bytes that are no model in ORT format.
 */
export function withoutShapes(model: Uint8Array): Uint8Array {
  const file = new FlatBuffer(model);
  const graph = child(child(file.root(), FIELD.session.model), FIELD.model.graph);
  for (const value of file.children(graph, FIELD.graph.values)) {
    const type = file.child(value, FIELD.value.type);
    if (type === null || file.byte(type, FIELD.type.kind) !== TENSOR) continue;
    file.remove(child(type, FIELD.type.content), FIELD.tensor.shape);
  }
  return file.bytes;

  function child(table: number, field: number): number {
    const found = file.child(table, field);
    if (found === null) throw new TypeError("not a model in ORT format");
    return found;
  }
}
