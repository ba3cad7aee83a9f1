import { expect, test } from "bun:test";
import { ownSession } from "../../../src/recall/worth/own-session.ts";
import { aRecallStore, aStore, aTurn } from "../made.ts";

const TURNS = new Map([
  [1, "[User] Look at the uploads\n\n[Assistant] Which one?"],
  [2, "[User] That of the shop\n\n[Assistant] I read it.\n\nIt never resumes.\n\n[Tools] Read upload.ts"],
]);

const texts = async (now: string, stored: readonly number[] = [1, 2]) => {
  const store = aStore({
    turns: async (ids) => ids.map((turnId) => aTurn({ turnId, text: TURNS.get(turnId) ?? "" })),
  });
  const recall = aRecallStore({ latestTurns: async () => stored.toReversed() });
  return ownSession("now", { store, recall, saidNow: async () => now });
};
const [first = "", second = ""] = TURNS.values();

test("what a session said last counts once, whether or not the memory has read it", async () => {
  expect(await texts("")).toEqual([first, second]);
  expect(await texts("Which one?\nThat of the shop\nI read it.\n\nIt never resumes.\n")).toEqual([
    first,
    second,
  ]);
  const more = "Which one?\nThat of the shop\nI read it.\n\nIt never resumes.\nThe proxy drops the header.";
  expect(await texts(more)).toEqual([first, second, more]);
  expect(await texts("Which one?\nThat of the shop", [1])).toEqual([first, "Which one?\nThat of the shop"]);
});

test("a session that the memory does not have has said what its transcript says", async () => {
  expect([await texts("", []), await texts("Which one?", [])]).toEqual([[], ["Which one?"]]);
});
