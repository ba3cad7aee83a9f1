import { expect, test } from "bun:test";
import { withoutRepeats } from "../../src/recall/distinct.ts";
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

test("notes with the same words are told once, however short", () => {
  const notes = [1, 2].map((turnId) =>
    aScored(aTurn({ turnId, text: "[User] Dates are UTC.", client: "note" })),
  );
  expect(withoutRepeats(notes).kept.map(({ turn }) => turn.turnId)).toEqual([1]);
});

test("a repeat has the same first 600 characters, and more than 300", () => {
  const isRepeat = (first: string, second: string) =>
    withoutRepeats([first, second].map((text, i) => aScored(aTurn({ turnId: i, text })))).repeats.length ===
    1;
  const start = `[User] ${"a b ".repeat(150)}`.slice(0, 600);
  expect(isRepeat(`${start}x`, `${start}y`)).toBe(true);
  expect(isRepeat(`${start.slice(0, -1)}x`, `${start.slice(0, -1)}y`)).toBe(false);
  expect(isRepeat("a".repeat(301), "A".repeat(301))).toBe(true);
  expect(isRepeat("a".repeat(300), "a".repeat(300))).toBe(false);
  expect(isRepeat(`a  b${start}`, `a\nb${start}`)).toBe(false);
  expect(isRepeat(`a b${start.slice(0, 400)}`, `a\nb${start.slice(0, 400)}`)).toBe(true);
});

test("a checklist that is given again and again is no repeat where it was answered otherwise", () => {
  const checklist = `[User] ${"- look for unchecked errors in what was changed\n".repeat(15)}`;
  const answered = (turnId: number, answer: string) =>
    aScored(aTurn({ turnId, text: `${checklist}\n\n[Assistant] ${answer}` }));
  const ranked = [
    answered(1, "The retry swallows a timeout."),
    answered(2, "Nothing to mend in the parser."),
    answered(3, "The retry swallows a timeout."),
    answered(4, "Nothing to mend"),
    aScored(aTurn({ turnId: 5, text: checklist })),
  ];
  const { kept, repeats } = withoutRepeats(ranked);
  expect(kept.map(({ turn }) => turn.turnId)).toEqual([1, 2, 5]);
  expect(repeats.map(({ turn }) => turn.turnId)).toEqual([3, 4]);
});
