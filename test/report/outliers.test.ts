import { expect, test } from "bun:test";
import { usualRange } from "../../src/report/report.ts";

const RANGE = Array.from({ length: 40 }, (_, index) => index);

test.each<[string, number[], [number, number] | null]>([
  ["nothing", [], null],
  ["one value", [5], [5, 5]],
  ["values that lie apart, but are few", [1, 2, 3, 900], [1, 900]],
  ["an even range", RANGE, [0, 39]],
  ["one far below", [-5_000, ...RANGE], [0, 39]],
  ["one far above", [...RANGE, 5_000], [0, 39]],
  ["one on each side", [-5_000, ...RANGE, 5_000], [0, 39]],
  ["two groups, which are both usual", [...RANGE, ...RANGE.map((value) => value + 500)], [0, 539]],
  ["one that is near enough", [...RANGE, 60], [0, 60]],
  ["equal values and another", [7, 7, 7, 7, 7, 7, 7, 9], [7, 7]],
])("the usual range of %s", (_name, values, expected) => {
  expect(usualRange(values)).toEqual(expected);
});

test("how far is far can be said", () => {
  expect(usualRange([...RANGE, 60], 0.5)).toEqual([0, 39]);
});
