import { expect, test } from "bun:test";
import { renderSkipped } from "../../../../src/cli/commands/ingest.ts";

test("lines without text are named in words, the most first and the rest last", () => {
  const skipped = {
    tool_result: 131,
    "file-history-snapshot": 1_030,
    late_item: 2,
    progress: 36,
    malformed: 1,
    "cost-state": 20,
  };
  expect(renderSkipped(skipped)).toBe(
    "results of tools 133, progress 36, unreadable 1, other records of the agent 1,050",
  );
});

test("without any, there is nothing to name", () => {
  expect(renderSkipped({})).toBe("");
});
