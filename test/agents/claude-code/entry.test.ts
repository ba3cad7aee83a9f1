import { expect, test } from "bun:test";
import { parseEntry } from "../../../src/agents/claude-code/entry.ts";

test.each([
  ["2026-03-04T10:00:00.000Z", "2026-03-04T10:00:00.000Z"],
  ["2026-03-04T10:00:00+02:00", "2026-03-04T08:00:00.000Z"],
  ["2026-03-04T10:00:00Z", "2026-03-04T10:00:00.000Z"],
  ["yesterday", null],
])("a timestamp of %j is read as %j, so that times compare as text", (timestamp, expected) => {
  expect(parseEntry({ type: "user", timestamp })?.timestamp).toEqual(expected);
});
