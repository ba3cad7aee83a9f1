import { expect, test } from "bun:test";
import fc from "fast-check";
import { widthOf, wrap } from "../../src/text/width.ts";
import { fcOptions } from "../support/fast-check.ts";

test.each<[string, number, string[]]>([
  ["one two three", 7, ["one two", "three"]],
  ["one\n\n  two", 10, ["one", "", "  two"]],
  ["abcdefghij", 4, ["abcd", "efgh", "ij"]],
  ["日本語の文", 4, ["日本", "語の", "文"]],
  ["", 10, [""]],
])("wrap(%p, %d)", (text, width, lines) => {
  expect(wrap(text, width)).toEqual(lines);
});

test("of too many lines the last one says that there is more", () => {
  expect(wrap("one two three four", 9, 2)).toEqual(["one two", "three …"]);
});

test.each<[string, string]>([
  ["one two … three four", "…"],
  ["one two ... three four", "..."],
])("the mark of a cut stands once: %p", (text, mark) => {
  expect(wrap(text, 11, 1, mark)).toEqual([`one two ${mark}`]);
});

test("no line is too wide, and nothing but space is lost", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc.integer({ min: 2, max: 40 }),
      (text, width) => {
        const lines = wrap(text, width);
        expect(lines.filter((line) => widthOf(line) > width)).toEqual([]);
        expect(lines.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
      },
    ),
    fcOptions(),
  );
});
