import { expect, test } from "bun:test";
import { foundFirst } from "../../../src/recall/matter/found-first.ts";
import { aTurn } from "../made.ts";

const CAUSE = "The parser refuses refunds because their amounts are negative.";
const turns = [1, 2].map((turnId) =>
  aTurn({ turnId, sessionId: "s", text: `[User] Why does it refuse refunds?\n\n[Assistant] ${CAUSE}` }),
);
const [first = aTurn({ turnId: 1 }), second = aTurn({ turnId: 2 })] = turns;
const sought = { words: [{ form: "refund", weight: 2 }], total: 2 };

function talkWith(sources: readonly number[] = []) {
  const conversation = { found: first, turns, around: turns, isShort: true };
  return { conversation, found: [], sources: new Set(sources) };
}

test("a state begins with its found turn, whose conversation is quoted whole from there", () => {
  const state = foundFirst(talkWith(), [second], sought, "alone");
  expect([state?.conversation.found, state?.conversation.turns]).toEqual([second, [second]]);
  expect(state?.said.map(({ turn, text }) => [turn, text])).toEqual([[second, CAUSE]]);
  expect(state?.dialogue?.map(({ kind }) => kind)).toEqual(["prompt", "answer"]);
});

test("a conversation that repeats another one in part is not quoted whole", () => {
  expect(foundFirst(talkWith([9]), [first], sought, "alone")).toMatchObject({ dialogue: null });
});

test("a conversation without a selected turn has no such state", () => {
  expect(foundFirst(talkWith(), [aTurn({ turnId: 7 })], sought, "alone")).toBeNull();
});
