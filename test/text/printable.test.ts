import { expect, test } from "bun:test";
import { safeJson } from "../../src/cli/terminal/view.ts";
import { printable } from "../../src/text/invisible.ts";

/** Text that spells "hi" in Unicode tag characters, which a person never sees. */
const SMUGGLED = "\u{e0068}\u{e0069}";

/** Add a line for each invisible character. */
test.each([
  ["tag characters", `look${SMUGGLED} here`, "look here"],
  ["zero-width space", "pass\u200bword", "password"],
  ["word joiner and byte order mark", "\ufeffa\u2060b", "ab"],
  ["soft hyphen", "ad\u00admin", "admin"],
  ["direction override", "\u202etxt.exe\u202c", "txt.exe"],
  ["direction isolate and marks", "\u2066a\u2069\u200e\u200f\u061c", "a"],
  ["variation selectors after a letter", "a\ufe00b\u{e0101}c\ufe0f", "abc"],
  ["many variation selectors behind an emoji", "😀\ufe0f\ufe0e\u{e0110}", "😀"],
  ["a joiner between Latin letters", "a\u200db", "ab"],
  ["Hangul fillers", "\u3164x\u115f", "x"],
  ["annotation marks", "a\ufff9b\ufffac\ufffb", "abc"],
  ["what arranges hieroglyphs", "a\u{13430}\u{1343f}b", "ab"],
  ["what arranges Arabic amounts", "a\u0890\u0891b", "ab"],
  ["characters for private use", "a\ue000\uf8ff\u{f0041}\u{10fffd}b", "ab"],
  ["characters without a meaning yet", "a\u0378\u{1fbff}\uffff\u{e0fff}b", "ab"],
  ["escape sequences around them", "\u001b[31mred\u001b[0m\u200b", "red"],
])("drops %s", (_name, text, expected) => {
  expect(printable(text)).toBe(expected);
});

test.each([
  ["an emoji of several", "👨\u200d👩\u200d👧 and ❤\ufe0f and 🏳\ufe0f\u200d🌈 and 👍🏽\u200d👀"],
  ["a keycap", "press 1\ufe0f\u20e3"],
  ["an emoji to come", "\u{1faf9}\u{1fae0}"],
  ["Arabic signs that are seen", "\u0600\u0605\u06dd\u08e2"],
  ["Persian with a non-joiner", "می\u200cخواهم"],
  ["Devanagari with a joiner", "क्\u200dष"],
  ["Japanese, accents, tabs and lines", "移行は\tどう\ncafe\u0301"],
])("keeps %s", (_name, text) => {
  expect(printable(text)).toBe(text);
});

test("JSON keeps the value and shows invisible characters", () => {
  const line = JSON.stringify({ text: `a${SMUGGLED}\u200b\u202e` });
  expect(safeJson(line)).toBe('{"text":"a\\udb40\\udc68\\udb40\\udc69\\u200b\\u202e"}');
  expect(JSON.parse(safeJson(line))).toEqual(JSON.parse(line));
});
