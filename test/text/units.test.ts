import { expect, test } from "bun:test";
import fc from "fast-check";
import { firstUnits, lastUnits, pairStart } from "../../src/text/cut.ts";
import { fcOptions } from "../support/fast-check.ts";

test("a cut never splits a surrogate pair", () => {
  expect([0, 1, 2, 3, 4, 9].map((length) => firstUnits("a😀b", length))).toEqual([
    "",
    "a",
    "a",
    "a😀",
    "a😀b",
    "a😀b",
  ]);
  expect([0, 1, 2, 3, 4, 9].map((length) => lastUnits("a😀b", length))).toEqual([
    "",
    "b",
    "b",
    "😀b",
    "a😀b",
    "a😀b",
  ]);
  expect([0, 1, 2, 3, 4].map((index) => pairStart("a😀b", index))).toEqual([0, 1, 1, 3, 4]);
});

test("the start and the end of a text are as long as asked for, or one unit shorter", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(40), (text, length) => {
      const [first, last] = [firstUnits(text, length), lastUnits(text, length)];
      const wanted = Math.min(length, text.length);
      expect(text.startsWith(first) && text.endsWith(last)).toBe(true);
      for (const part of [first, last]) {
        expect(part.isWellFormed()).toBe(true);
        expect([wanted, wanted - 1]).toContain(part.length);
      }
    }),
    fcOptions(),
  );
});
