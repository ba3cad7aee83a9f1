import { expect, test } from "bun:test";
import { findPhrases } from "../../src/recall/query.ts";

test.each([
  [
    "Pre-commit hooks run the full test suite",
    ["pre commit", "commit hooks", "hooks run", "full test", "test suite"],
  ],
  ["fix the parser. Rename files", ["rename files", "fix the", "the parser"]],
  ["why", []],
  ["", []],
])("phrases(%j)", (query, expected) => {
  expect(findPhrases(query)).toEqual(expected);
});

test("phrases are bounded", () => {
  expect(findPhrases(Array.from({ length: 99 }, (_, i) => `word${i}`).join(" "))).toHaveLength(16);
});
