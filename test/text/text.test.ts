import { expect, test } from "bun:test";
import fc from "fast-check";
import { FRAME_CLOSE, FRAME_OPEN } from "../../src/constants.ts";
import { findUrls } from "../../src/ingest/transcript/tools/command-paths.ts";
import { truncateGraphemes } from "../../src/text/cut.ts";
import { withoutHookText } from "../../src/text/headline.ts";
import { looksLikeFileName } from "../../src/text/identifiers.ts";
import { onOneLine } from "../../src/text/lines.ts";
import { fcOptions } from "../support/fast-check.ts";

test.each([
  ["short", 10, "short"],
  ["exactly", 7, "exactly"],
  ["one more", 7, "one mor..."],
  ["", 0, ""],
  ["日本語です", 3, "日本語..."],
  ["👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 1, "👩‍👩‍👧‍👦..."],
  ["👩‍👩‍👧‍👦", 1, "👩‍👩‍👧‍👦"],
  ["e\u0301e\u0301e\u0301", 2, "e\u0301e\u0301..."],
  ["🇩🇪🇫🇷", 1, "🇩🇪..."],
  ["a\r\nb", 2, "a\r\n..."],
])("truncateGraphemes(%j, %d)", (text, limit, expected) => {
  expect(truncateGraphemes(text, limit)).toBe(expected);
});

test("a cut never leaves half a cluster", () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.integer({ min: 0, max: 40 }),
      (text, limit) => {
        const clusters = Array.from(segmenter.segment(text), ({ segment }) => segment);
        const expected = clusters.length <= limit ? text : `${clusters.slice(0, limit).join("")}...`;
        expect(truncateGraphemes(text, limit)).toBe(expected);
      },
    ),
    fcOptions(),
  );
});

test.each([
  ["nothing here", "nothing here"],
  [`${FRAME_OPEN}\nold turns\n${FRAME_CLOSE}`, ""],
  [`a\n  ${FRAME_OPEN} b ${FRAME_CLOSE}\nc`, "a\n  \nc"],
  [`a\n${FRAME_OPEN}\nnever closed`, "a\n"],
  [`a person may say ${FRAME_OPEN} in a line`, `a person may say ${FRAME_OPEN} in a line`],
  [`x${FRAME_OPEN}1${FRAME_CLOSE}`, `x${FRAME_OPEN}1${FRAME_CLOSE}`],
  [`${FRAME_OPEN}1${FRAME_CLOSE}\n${FRAME_OPEN}2${FRAME_CLOSE}x`, "\nx"],
])("withoutTold(%j)", (text, expected) => {
  expect(withoutHookText(text)).toBe(expected);
});

test.each([
  ["see https://bun.sh/docs.", ["https://bun.sh/docs"]],
  ["(https://a.org/x_(y)) and http://b.c/d?e=f#g,", ["https://a.org/x_(y)", "http://b.c/d?e=f#g"]],
  ["<https://a.org>", ["https://a.org"]],
  ["[https://a.org/x] [https://a.org/y[1]]", ["https://a.org/x", "https://a.org/y[1]"]],
  ["ftp://a.org and https:// alone", []],
  ["nothing", []],
])("urlsIn(%j)", (text, expected) => {
  expect(findUrls(text)).toEqual(expected);
});

test.each([
  "a.ts",
  "A.TSX",
  "Makefile",
  ".gitignore",
  ".env",
  "my notes.md",
  "a.b.json",
  "Dockerfile",
  "x.ipynb",
  "x.bash",
  "x.dart",
  "x.gltf",
  "x.jar",
  "x.mk",
  "x.proto",
  "x.sh",
  "x.tsv",
  "x.zig",
])("%s looks like a file", (name) => expect(looksLikeFileName(name)).toBe(true));

test.each([
  "package",
  "decorator",
  "app.route",
  "e.g.",
  "1.2",
  "v1.2.3",
  "..",
  ".",
  "lodash.merge",
  "host.com",
  "key",
  "go",
  "a.",
])("%s does not", (name) => expect(looksLikeFileName(name)).toBe(false));

test("a text on one line has the same words, with single spaces between them", () => {
  const pieces = fc.constantFrom(" ", "  ", "\n", "\t ", "\r\n", "\u00a0", "\u2028", "a", "é", "🙂");
  fc.assert(
    fc.property(
      fc.array(pieces).map((all) => all.join("")),
      (text) => expect(onOneLine(text)).toBe(text.split(/\s+/).filter(Boolean).join(" ")),
    ),
    fcOptions(),
  );
});
