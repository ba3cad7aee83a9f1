import { expect, test } from "bun:test";
import { chunkText } from "../../src/ingest/chunk/markdown.ts";
import { harmless } from "../../src/recall/telling/agent-text.ts";
import { printable } from "../../src/text/invisible.ts";
import { keywordTerms, keywordText } from "../../src/text/keywords.ts";
import { parseText } from "../../src/turn/grammar.ts";

/**
 * Texts of one repeated piece are where an expression that is tried at every character takes quadratic time. At this
 * length that is minutes, so that the test runs into its time-out; linear work takes milliseconds.
 */
const LENGTH = 200_000;
const PIECES = [
  "a",
  "漢",
  "é",
  "한",
  " ",
  "\n",
  "-",
  "a-",
  "a.",
  "/a",
  "`",
  "<",
  "</ ",
  '"',
  "_",
  "aB",
  "\u0301",
  "😀",
  "\u200b",
  "\u001b[",
];

const count = (text: string) => Math.ceil(text.length / 4);

test.each(PIECES)("takes a text of %j alone in linear time", (piece) => {
  const text = piece.repeat(LENGTH / piece.length);
  expect(keywordText(text)).toStartWith(text);
  expect(keywordTerms(text).length).toBeLessThanOrEqual(24);
  expect(printable(text).length).toBeLessThanOrEqual(text.length);
  expect(harmless(text).length).toBeLessThanOrEqual(text.length);
  const chunks = chunkText(parseText(text), count, { maxTokens: 256, overlapTokens: 40 });
  expect(chunks.every(({ start, end, content }) => content === text.slice(start, end))).toBe(true);
});
