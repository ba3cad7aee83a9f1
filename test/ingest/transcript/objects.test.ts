import { expect, test } from "bun:test";
import { READ } from "../../../src/constants.ts";
import { type LineObjects, lineObjects } from "../../../src/ingest/transcript/objects.ts";

const SHAPE = { start: /\{"type"/, isRecord: (object: Record<string, unknown>) => "id" in object };
const a = { type: "a", id: 1 };
const b = { type: "b", id: 2 };
const [A, B] = [a, b].map((object) => JSON.stringify(object));

const malformed = (...objects: object[]): LineObjects => ({
  objects: objects as LineObjects["objects"],
  startsWhole: false,
  trouble: "malformed",
});

test.each<[string, LineObjects]>([
  [`${A}`, { objects: [a], startsWhole: true, trouble: null }],
  [`${A}${B}`, { objects: [a, b], startsWhole: true, trouble: null }],
  [` ${A} ${B}\r`, { objects: [a, b], startsWhole: true, trouble: null }],
  ["3", { objects: [], startsWhole: false, trouble: "non_object" }],
  ["[1]", { objects: [], startsWhole: false, trouble: "non_object" }],
  ["words", malformed()],
  ["", { objects: [], startsWhole: false, trouble: null }],
  [`{"type":"cut ${B}`, malformed(b)],
  [`{"type":"cut","in":{"type":"b"}`, malformed()],
  [`{"type":"cut","in":${B}`, malformed(b)],
  [`{"type":"cut ${B}x`, malformed()],
  [`x${B}`, malformed(b)],
  [`${A}x`, { ...malformed(a), startsWhole: true }],
  [`${A}x${B}`, { ...malformed(a, b), startsWhole: true }],
  [`${A}{"type":"cut`, { ...malformed(a), startsWhole: true }],
])("lineObjects(%j)", (text, expected) => {
  expect(lineObjects(text, SHAPE)).toEqual(expected);
});

test("braces and quotes in strings do not end an object", () => {
  const first = { type: '}"{\\', id: "\\" };
  expect(lineObjects(JSON.stringify(first) + B, SHAPE).objects).toEqual([first, b]);
});

test("of a line with very many objects, the first are read", () => {
  const max = READ.maxObjectsPerLine;
  expect(lineObjects(`${A}`.repeat(max + 3), SHAPE).objects).toEqual(Array(max).fill(a));
});
