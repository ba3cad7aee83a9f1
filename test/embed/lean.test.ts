import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { leanModel } from "../../src/embed/graph/lean.ts";
import { onnxModel, readOnnx } from "../../src/embed/graph/onnx.ts";
import { fcOptions } from "../support/fast-check.ts";

const MODEL = join(import.meta.dir, "../../src/assets/model/bge-small-en-v1.5/onnx/model_quantized.onnx");

test("what is written of a graph is read again", () => {
  const bytes = Uint8Array.of(1, 2, 255, 128);
  const model = onnxModel({
    name: "g",
    inputs: [{ name: "a", type: "int64", shape: [1, "n"] }],
    outputs: [{ name: "c", type: "float", shape: [1] }],
    constants: [{ name: "b", type: "int8", shape: [2, 2], bytes }],
    steps: [
      { operator: "Add", inputs: ["a", "b"], output: "c", more: ["d"], attributes: { axis: { int: 1 } } },
    ],
  });
  expect(readOnnx(model)).toEqual({
    steps: [{ name: "c", operator: "Add", inputs: ["a", "b"] }],
    constants: new Map([["b", { shape: [2, 2], bytes }]]),
  });
});

test("the lean graph of the built-in model has its weights in a ninth of the steps", async () => {
  const onnx = await Bun.file(MODEL).bytes();
  const [before, lean] = [readOnnx(onnx), readOnnx(leanModel(onnx, 12))];
  expect([before.steps.length, lean.steps.length]).toEqual([1511, 164]);
  const query = before.steps.find(
    ({ name }) => name === "/encoder/layer.3/attention/self/query/MatMul_quant",
  );
  expect(lean.constants.get("l3.query.weights")).toEqual(
    before.constants.get(query?.inputs[1] ?? "") ?? { shape: [], bytes: new Uint8Array() },
  );
  expect(lean.constants.get("words.table")).toEqual(
    before.constants.get("embeddings.word_embeddings.weight_quantized") ?? {
      shape: [],
      bytes: new Uint8Array(),
    },
  );
});

test("a model of another form is refused", () => {
  const other = onnxModel({ name: "g", inputs: [], outputs: [], constants: [], steps: [] });
  expect(() => leanModel(other, 12)).toThrow(TypeError);
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(() => leanModel(bytes, 12)).toThrow(TypeError);
    }),
    fcOptions(),
  );
});
