import { readFileSync, writeFileSync } from "node:fs";
import type { NativeBinding } from "./session.ts";

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
 * Converts an ONNX model to ORT format and optimises its graph, so that it loads quickly later. Its vectors stay the same. Takes
 * 0.4 to 0.7 s.
 */
export function convertModel(binding: NativeBinding, onnx: Uint8Array, outputPath: string): void {
  const session = new binding.InferenceSession();
  session.loadModel(onnx.buffer, onnx.byteOffset, onnx.byteLength, {
    graphOptimizationLevel: "extended",
    optimizedModelFilePath: outputPath,
    logSeverityLevel: 4,
    extra: { session: { save_model_format: "ORT", disable_prepacking: "1" } },
  });
  session.dispose();
  writeFileSync(outputPath, withoutShapes(readFileSync(outputPath)));
}

/**
 * Returns a model in ORT format without the shapes of its inputs and intermediate values. It computes the same vectors.
 *
 * While ONNX Runtime loads a model, it compares the shapes of values to find buffers that it can reuse. The shapes depend on the
 * length of the text, so nearly all comparisons fail, but they take two thirds of the loading time. ONNX Runtime does not compare
 * values without a shape.
 *
 * @throws `TypeError` for bytes that are not a model in ORT format.
 */
function withoutShapes(model: Uint8Array): Uint8Array {
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

/**
 * Size of a layout's header. A layout starts with its own size and its tables' size, then has the offset of each field, 16 bits
 * each.
 */
const LAYOUT_HEADER = 4;
const OFFSET = 2;
const ALIGNMENT = 4;

/**
 * Reads the tables of a FlatBuffer and removes fields from them. Positions identify tables; numbers from the schema identify
 * fields. Throws `RangeError` for a position outside the buffer.
 */
export class FlatBuffer {
  #bytes: Uint8Array;
  #view: DataView;
  /** Copies of layouts with one field removed, by layout position and field. */
  readonly #narrowed = new Map<string, number>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
  }

  /** The buffer with all removals applied. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  root(): number {
    return this.#follow(0);
  }

  /** Returns the table in a field; null when the field is absent. */
  child(table: number, field: number): number | null {
    const at = this.#find(table, field);
    return at === null ? null : this.#follow(at);
  }

  /** Returns the tables of a list field. */
  children(table: number, field: number): number[] {
    const list = this.child(table, field);
    if (list === null) return [];
    const count = this.#view.getUint32(list, true);
    return Array.from({ length: count }, (_, i) => this.#follow(list + (i + 1) * 4));
  }

  /** Returns a field of one byte; 0 when the field is absent. */
  byte(table: number, field: number): number {
    const at = this.#find(table, field);
    return at === null ? 0 : this.#view.getUint8(at);
  }

  /** Removes a field. The table gets a layout of its own, since other tables may share the old one. */
  remove(table: number, field: number): void {
    if (this.#find(table, field) === null) return;
    const layout = this.#layoutOf(table);
    const key = `${layout} ${field}`;
    const narrowed = this.#narrowed.get(key) ?? this.#addLayout(layout, field);
    this.#narrowed.set(key, narrowed);
    this.#view.setInt32(table, table - narrowed, true);
  }

  #addLayout(layout: number, without: number): number {
    const end = layout + this.#view.getUint16(layout, true);
    const copy = new Uint8Array(this.#bytes.subarray(layout, end));
    viewOf(copy).setUint16(LAYOUT_HEADER + without * OFFSET, 0, true);
    const place = Math.ceil(this.#bytes.length / ALIGNMENT) * ALIGNMENT;
    const grown = new Uint8Array(place + Math.ceil(copy.length / ALIGNMENT) * ALIGNMENT);
    grown.set(this.#bytes);
    grown.set(copy, place);
    this.#bytes = grown;
    this.#view = viewOf(grown);
    return place;
  }

  #follow(at: number): number {
    return at + this.#view.getUint32(at, true);
  }

  #layoutOf(table: number): number {
    return table - this.#view.getInt32(table, true);
  }

  #find(table: number, field: number): number | null {
    const layout = this.#layoutOf(table);
    const entry = LAYOUT_HEADER + field * OFFSET;
    if (entry >= this.#view.getUint16(layout, true)) return null;
    const offset = this.#view.getUint16(layout + entry, true);
    return offset === 0 ? null : table + offset;
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
