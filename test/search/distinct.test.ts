import { expect, test } from "bun:test";
import { diverse, withoutRepeats } from "../../src/search/distinct.ts";
import { aScored, aTurn } from "./made.ts";

const long = `[User] ${"please look at the parser again ".repeat(30)}`;

test("withoutRepeats keeps the best of near-identical turns", () => {
  const ranked = [
    aScored(aTurn({ turnId: 1, text: long })),
    aScored(aTurn({ turnId: 2, text: `${long}\n\n[User] what followed` })),
    aScored(aTurn({ turnId: 3, text: "[User] yes" })),
    aScored(aTurn({ turnId: 4, text: "[User] yes" })),
  ];
  const { kept, repeats } = withoutRepeats(ranked);
  expect(kept.map(({ turn }) => turn.turnId)).toEqual([1, 3, 4]);
  expect(repeats.map(({ turn }) => turn.turnId)).toEqual([2]);
});

test("diverse takes no more than two turns of a session", () => {
  const sessions = ["a", "a", "a", "b", "c", "d"];
  const ranked = sessions.map((sessionId, i) => aScored(aTurn({ turnId: i, sessionId })));
  expect(diverse(ranked, { limit: 4, perSession: 2, leastShare: 0 }).map(({ turn }) => turn.turnId)).toEqual([
    0, 1, 3, 4,
  ]);
});

test("turns that fall far behind the best one are no answer", () => {
  const ranked = [2, 1.2, 0.9].map((score, index) => ({
    ...aScored(aTurn({ turnId: index, sessionId: `${index}` })),
    score,
  }));
  const limits = { limit: 4, perSession: 2, leastShare: 0.5 };
  expect(diverse(ranked, limits).map(({ turn }) => turn.turnId)).toEqual([0, 1]);
  expect(diverse([], limits)).toEqual([]);
});
