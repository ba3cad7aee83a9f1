import { expect, test } from "bun:test";
import fc from "fast-check";
import { sentenceEnds } from "../../src/text/sentences.ts";
import { fcOptions } from "../support/fast-check.ts";

/** The pieces of a text between its ends. */
function pieces(text: string): string[] {
  const ends = [...sentenceEnds(text), text.length];
  return ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end));
}

test.each<[string, string, string[]]>([
  ["lines", "one\n\ntwo. Three\n", ["one\n\n", "two.", " Three\n"]],
  [
    "the number of a list item",
    "Do:\n1. First. Then\n 12. Last",
    ["Do:\n", "1. First.", " Then\n", " 12. Last"],
  ],
  ["a number at the end of a sentence", "It took 12. Then it ended.", ["It took 12.", " Then it ended."]],
  ["a stop within a sentence", "See a.ts. and e.g. Redis", ["See a.ts. and e.g. Redis"]],
])("splits %s", (_what, text, expected) => {
  expect(pieces(text)).toEqual(expected);
});

test("ends rise, and none is that of the text", () => {
  const unit = fc.constantFrom("a", "B", " ", ".", "?", ")", "\n", "。", "1", "e.g.");
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
      const ends = [0, ...sentenceEnds(text), text.length];
      expect(ends).toEqual([...new Set(ends)].sort((a, b) => a - b).concat(text === "" ? [0] : []));
    }),
    fcOptions(),
  );
});
