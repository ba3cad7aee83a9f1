import { expect, test } from "bun:test";
import { scoreColumns } from "../../../../src/cli/commands/search/explain.ts";

const none = { meaning: 0, words: 0, names: 0, other: 0 };

test("a row adds up as it is printed, and only parts that a candidate has get a column", () => {
  const candidates = [
    { score: 0.4449, score_parts: { ...none, meaning: 0.5449, names: 0.0049, other: -0.1049 } },
    { score: -0.0004, score_parts: { ...none, meaning: 0.25, other: -0.2504 } },
  ];
  const { columns, cellsOf, sentence } = scoreColumns(candidates);
  expect(columns.map(({ title }) => title)).toEqual(["SCORE", "MEANING", "NAMES", "OTHER"]);
  expect(candidates.map(cellsOf)).toEqual([
    ["0.44", "0.54", "0.00", "-0.10"],
    ["0.00", "0.25", "0.00", "-0.25"],
  ]);
  expect(sentence).toStartWith(
    "The score is the sum of nearness in meaning, names in common, such as files, numbers and functions, and other things: ",
  );
});
