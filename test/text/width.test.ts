import { expect, test } from "bun:test";
import fc from "fast-check";
import { cutStartToWidth, cutToWidth, widthOf } from "../../src/text/width.ts";

test.each<[string, number, string, string]>([
  ["kettle", 6, "kettle", "kettle"],
  ["kettle", 5, "kett…", "…ttle"],
  ["kettle", 1, "…", "…"],
  ["kettle", 0, "", ""],
  ["日本語", 5, "日本…", "…本語"],
  ["日本語", 4, "日…", "…語"],
  ["a👩‍👩‍👧b", 3, "a…", "…b"],
])("%p in %p columns", (text, width, start, end) => {
  expect([cutToWidth(text, width), cutStartToWidth(text, width)]).toEqual([start, end]);
});

test("a truncated text fits and is a part of the text", () => {
  const text = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(text, fc.nat(40), (whole, width) => {
      for (const cut of [cutToWidth(whole, width), cutStartToWidth(whole, width)]) {
        expect(cut === whole || widthOf(cut) <= width).toBe(true);
        expect(whole.includes(cut.replace("…", "")) || whole.includes("…")).toBe(true);
      }
    }),
  );
});
