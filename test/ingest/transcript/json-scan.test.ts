import { expect, test } from "bun:test";
import fc from "fast-check";
import { matchesAt, stringEnd, valueEnd } from "../../../src/ingest/transcript/lines.ts";
import { fcOptions } from "../../support/fast-check.ts";

const end = (text: string, at = 0, limit = Buffer.byteLength(text)) => valueEnd(Buffer.from(text), at, limit);

test("a value ends where JSON says, whatever comes behind it, and nowhere when it is cut off", () => {
  const behind = fc.constantFrom(",", "}", "]");
  fc.assert(
    fc.property(fc.jsonValue(), behind, fc.nat(3), (value, next, skip) => {
      const [before, text] = ["[".repeat(skip), JSON.stringify(value)];
      const whole = Buffer.byteLength(before + text);
      expect(end(`${before}${text}${next}"x`, skip)).toBe(whole);
      const isScalar = !/["\]}]$/.test(text);
      expect(end(before + text, skip)).toBe(isScalar ? -1 : whole);
      expect(end(`${before}${text}${next}`, skip, whole - 1)).toBe(-1);
    }),
    fcOptions(),
  );
});

test.each<[string, number]>([
  ['{"a":[1,{"b":"}]"}]},', 20],
  ['["\\"",2]', 8],
  ['"a\\\\",', 5],
  ["true]", 4],
  ["-1.5e3}", 6],
  ['1"a",', -1],
  ["1{},", -1],
  ['{"a":"b', -1],
  ["[[]", -1],
  ["12", -1],
])("%s ends at %d", (text, expected) => {
  expect(end(text)).toBe(expected);
});

test("a string ends at its closing quote", () => {
  expect(stringEnd(Buffer.from('"a\\"b\\\\" "'), 0, 10)).toBe(8);
  expect(stringEnd(Buffer.from('"a\\"b\\\\" "'), 0, 7)).toBe(-1);
  expect(stringEnd(Buffer.from('"ab'), 0, 3)).toBe(-1);
  expect(stringEnd(Buffer.from('""'), 0, 2)).toBe(2);
});

test("a piece is found only where all of it is", () => {
  const bytes = Buffer.from("abcd");
  expect([0, 1, 2, 3].map((at) => matchesAt(bytes, at, Buffer.from("bc")))).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect(matchesAt(bytes, 3, Buffer.from("de"))).toBe(false);
});
