import { expect, test } from "bun:test";
import { bidiIsolated } from "../../src/text/invisible.ts";

const shown = (text: string) => bidiIsolated(text).replaceAll("\u2068", "<").replaceAll("\u2069", ">");

test.each([
  ["English, 한국어 and é stay", "English, 한국어 and é stay"],
  ["12  שלום עולם!  main", "12  <שלום עולם!>  main"],
  ["תקן את kettle.json מהר", "<תקן את kettle.json מהר>"],
  ["src/חיישן/טמפרטורה.ts", "src/<חיישן/טמפרטורה>.ts"],
  ["one مرحبا، two", "one <مرحبا،> two"],
  ["שלום\nעולם", "<שלום>\n<עולם>"],
  ["\x1b[2mשלום\x1b[22m", "\x1b[2m<שלום>\x1b[22m"],
  ["שָׁלוֹם 12", "<שָׁלוֹם> 12"],
])("%j is shown as %j", (text, expected) => {
  expect(shown(text)).toBe(expected);
});
