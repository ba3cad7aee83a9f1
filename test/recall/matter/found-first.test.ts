import { expect, test } from "bun:test";
import { foundFirst } from "../../../src/recall/matter/found-first.ts";
import type { MatterState } from "../../../src/recall/matter/matter.ts";
import { aTurn } from "../made.ts";

const CAUSE = "The parser refuses refunds because their amounts are negative.";
const turns = [1, 2].map((turnId) =>
  aTurn({ turnId, sessionId: "s", text: `[User] Why does it refuse refunds?\n\n[Assistant] ${CAUSE}` }),
);
const [first = aTurn({ turnId: 1 }), second = aTurn({ turnId: 2 })] = turns;
const sought = { words: [{ form: "refund", weight: 2 }], total: 2 };

function stateOf(sources: readonly number[] = []): MatterState {
  const conversation = { found: first, turns, around: turns, isShort: true };
  return { conversation, found: [], sources: new Set(sources), said: [], dialogue: null };
}

test("a state begins with its found turn, whose conversation is quoted whole from there", () => {
  const { conversation, said, dialogue } = foundFirst(stateOf(), [second], sought, "alone");
  expect([conversation.found, conversation.turns]).toEqual([second, [second]]);
  expect(said.map(({ turn, text }) => [turn, text])).toEqual([[second, CAUSE]]);
  expect(dialogue?.map(({ kind }) => kind)).toEqual(["prompt", "answer"]);
});

test("a conversation that repeats another one in part is not quoted whole", () => {
  expect(foundFirst(stateOf([9]), [first], sought, "alone").dialogue).toBeNull();
});

test("a state without a selected turn stays as it is", () => {
  const state = stateOf();
  expect(foundFirst(state, [aTurn({ turnId: 7 })], sought, "alone")).toBe(state);
});
