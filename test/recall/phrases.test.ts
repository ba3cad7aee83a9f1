import { expect, test } from "bun:test";
import { phrases } from "../../src/recall/query.ts";

test.each([
  [
    "Pre-commit hooks run the full test suite",
    ["pre commit", "commit hooks", "hooks run", "full test", "test suite"],
  ],
  ["fix the parser. Rename files", ["rename files", "fix the", "the parser"]],
  ["why", []],
  ["", []],
])("phrases(%j)", (query, expected) => {
  expect(phrases(query)).toEqual(expected);
});

test("phrases are bounded", () => {
  expect(phrases(Array.from({ length: 99 }, (_, i) => `word${i}`).join(" "))).toHaveLength(16);
});
