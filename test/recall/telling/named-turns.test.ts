import { expect, test } from "bun:test";
import { namedTurns } from "../../../src/recall/telling/agent-text.ts";

test("names the turns of a text by their numbers, and no other numbers", () => {
  const text = [
    '- 2026-02-23 on feat/store, "Moving 40 bookmarks": wrote (turns 3, 12, 15, ...)',
    '  Decided: "20 MB at most" (turn 1)',
    "2. 2026-02-23, session 5c4e08fc, turn 8",
    "more: mementor recall --show 20-22",
  ].join("\n");
  expect(namedTurns(text)).toEqual(new Set([3, 12, 15, 1, 8, 20, 21, 22]));
});
