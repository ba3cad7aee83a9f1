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
  expect(diverse(ranked, { limit: 4, perSession: 2, minShare: 0 }).map(({ turn }) => turn.turnId)).toEqual([
    0, 1, 3, 4,
  ]);
});

test("turns that fall far behind the best one are no answer", () => {
  const ranked = [2, 1.2, 0.9].map((score, index) => ({
    ...aScored(aTurn({ turnId: index, sessionId: `${index}` })),
    score,
  }));
  const limits = { limit: 4, perSession: 2, minShare: 0.5 };
  expect(diverse(ranked, limits).map(({ turn }) => turn.turnId)).toEqual([0, 1]);
  expect(diverse([], limits)).toEqual([]);
});

test("a repeat has the same first 600 characters, and more than 300", () => {
  const isRepeat = (first: string, second: string) =>
    withoutRepeats([first, second].map((text, i) => aScored(aTurn({ turnId: i, text })))).repeats.length ===
    1;
  const start = "a b ".repeat(150);
  expect(isRepeat(`${start}x`, `${start}y`)).toBe(true);
  expect(isRepeat(`${start.slice(0, -1)}x`, `${start.slice(0, -1)}y`)).toBe(false);
  expect(isRepeat("a".repeat(301), "A".repeat(301))).toBe(true);
  expect(isRepeat("a".repeat(300), "a".repeat(300))).toBe(false);
  expect(isRepeat(`a  b${start}`, `a\nb${start}`)).toBe(false);
  expect(isRepeat(`a b${start.slice(0, 400)}`, `a\nb${start.slice(0, 400)}`)).toBe(true);
});

test("a turn that is there for its session's files alone is not measured by its score", () => {
  const scored = (turnId: number, score: number, ...sources: ("access" | "vector")[]) => ({
    ...aScored(aTurn({ turnId }), { sources: new Set(sources) }),
    score,
  });
  const ranked = [scored(1, 2, "vector"), scored(2, 0.1, "access"), scored(3, 0.1, "access", "vector")];
  const ids = (some: typeof ranked, minShare: number) =>
    diverse(some, { limit: 4, perSession: 2, minShare }).map(({ turn }) => turn.turnId);
  expect(ids(ranked, 0.5)).toEqual([1, 2]);
  expect(ids([scored(4, -1, "vector"), scored(5, 0, "vector"), scored(6, 0.5, "vector")], 0.5)).toEqual([
    5, 6,
  ]);
});
