import { expect, test } from "bun:test";
import { findReferences } from "../../src/recall/query.ts";

test.each([
  ["what did 3FA9C21 change", { commits: ["3fa9c21"], prNumbers: [] }],
  ["add TUI list (#45) after PR 12 and pull request #7", { commits: [], prNumbers: [45, 12, 7] }],
  ["https://github.com/a/b/pull/123#issuecomment-99", { commits: [], prNumbers: [123] }],
  [`${"1".repeat(40)} and deadbeef and 1234567`, { commits: ["1".repeat(40)], prNumbers: [] }],
  ["colour #1a2b3c0 and &#39; and item#4 and #0", { commits: ["1a2b3c0"], prNumbers: [] }],
  ["0b9d6c62-1d1e-4a7c-9a51-1a2b3c4d5e6f", { commits: [], prNumbers: [] }],
])("references(%j)", (query, expected) => {
  expect(findReferences(query)).toEqual(expected);
});
