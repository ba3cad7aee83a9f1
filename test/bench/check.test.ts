import { expect, test } from "bun:test";
import { betterOf, compare, type Expected, missingRows, renderTable, renderVerdicts } from "./check.ts";

const time: Expected = { value: 2, noise: 0.1, better: "lower", how: "a time" };
const hits: Expected = { ...time, better: "higher", how: "hits" };

test.each<[number, Expected, string]>([
  [2.19, time, "same"],
  [2.21, time, "worse"],
  [1.79, time, "better"],
  [1.81, hits, "same"],
  [1.79, hits, "worse"],
  [2.21, hits, "better"],
  [Number.NaN, time, "worse"],
  [Number.NaN, hits, "worse"],
  [0, { ...time, value: 0 }, "same"],
  [0.01, { ...time, value: 0 }, "worse"],
])("%d against %j is %s", (value, expected, verdict) => {
  expect(compare([{ row: "a", value }], { a: expected })).toEqual([
    { row: "a", value, expected, verdict },
  ] as never);
});

test("a row that was never recorded is new", () => {
  expect(compare([{ row: "b", value: 1 }], { a: time })).toEqual([
    { row: "b", value: 1, expected: null, verdict: "new" },
  ]);
});

test("of two runs the better one counts", () => {
  const [low, high] = [1, 2].map((value) => ({ row: "a", value }));
  if (!low || !high) throw new Error("two rows");
  expect([betterOf(low, high, "lower"), betterOf(high, low, "lower")]).toEqual([low, low]);
  expect([betterOf(low, high, "higher"), betterOf(high, low, "higher")]).toEqual([high, high]);
});

test("names what became worse, what is missing, what became better and what is new", () => {
  const measured = [
    { row: "start/cold", value: 25 },
    { row: "read/sample", value: 0.4 },
    { row: "gate/right", value: 0.9 },
  ];
  const expected = { "start/cold": { ...time, value: 20 }, "read/sample": { ...time, value: 0.5 } };
  const compared = compare(measured, expected);
  expect(renderTable(compared)).toBe(
    [
      "| row | now | expected | |",
      "| --- | --- | --- | --- |",
      "| start/cold | 25.0 | 20.0 ± 10 % | worse |",
      "| read/sample | 0.400 | 0.500 ± 10 % | better |",
      "| gate/right | 0.900 |  | new |",
      "",
      "",
    ].join("\n"),
  );
  expect(renderVerdicts(compared, ["start/warm"])).toBe(
    [
      "worse: start/cold is 25.0, expected 20.0",
      "not measured: start/warm; if it is gone, take it out of expected.json",
      "better: read/sample is 0.400, expected 0.500",
      "not recorded: gate/right",
      "",
    ].join("\n"),
  );
  expect(renderVerdicts(compare([{ row: "start/cold", value: 20 }], expected), [])).toBe(
    "all rows are as expected\n",
  );
});

test("a row that is expected of a part and was not measured is missing, but for those of a corpus", () => {
  const expected = { "read/sample": time, "read/corpus 1a": time, "read/gone": time, "start/cold": time };
  const measured = [{ row: "read/sample", value: 2 }];
  expect(missingRows("read", measured, expected)).toEqual(["read/gone"]);
});
