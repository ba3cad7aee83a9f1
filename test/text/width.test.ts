import { expect, test } from "bun:test";
import fc from "fast-check";
import { cutMiddleToWidth, cutToWidth, widthOf } from "../../src/text/width.ts";

test.each<[string, number, string, string]>([
  ["kettle", 6, "kettle", "kettle"],
  ["kettle", 5, "kett…", "ke…le"],
  ["kettle", 1, "…", "…"],
  ["kettle", 0, "", ""],
  ["日本語", 5, "日本…", "日…語"],
  ["日本語", 4, "日…", "…語"],
  ["a👩‍👩‍👧b", 3, "a…", "a…b"],
  ["src/a/kettle.ts", 12, "src/a/kettl…", "s…/kettle.ts"],
])("%p in %p columns", (text, width, start, middle) => {
  expect([cutToWidth(text, width), cutMiddleToWidth(text, width)]).toEqual([start, middle]);
});

test("a truncated text fits and is a part of the text", () => {
  const text = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(text, fc.nat(40), (whole, width) => {
      for (const cut of [cutToWidth(whole, width), cutMiddleToWidth(whole, width)]) {
        expect(cut === whole || widthOf(cut) <= width).toBe(true);
        const [start = "", end = ""] = cut.split("…");
        expect((whole.startsWith(start) && whole.endsWith(end)) || whole.includes("…")).toBe(true);
      }
    }),
  );
});
