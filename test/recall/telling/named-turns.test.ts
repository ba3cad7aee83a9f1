import { expect, test } from "bun:test";
import { namedTurns } from "../../../src/recall/telling/agent-text.ts";

test("names the turns of a text by their numbers, and no other numbers", () => {
  const text = [
    '- 2026-02-23 on feat/store, "Moving 40 bookmarks": wrote (turns 3, 12, 15, ...)',
    '  Decided: "20 MB at most" (turn 1)',
    "2. 2026-02-23, session 5c4e08fc, turn 8",
    "more: mementor recall --show 20-22",
  ].join("\n");
  const isNamed = namedTurns(text);
  const named = Array.from({ length: 50 }, (_, at) => at).filter(isNamed);
  expect(named).toEqual([1, 3, 8, 12, 15, 20, 21, 22]);
});

test("a range that a quotation names costs nothing, however long", () => {
  const isNamed = namedTurns("> Claude: see turns 7-9007199254740991 of the log");
  expect([6, 7, 4_294_967_299].map(isNamed)).toEqual([false, true, true]);
});
