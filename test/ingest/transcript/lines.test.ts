import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { READ } from "../../../src/constants.ts";
import { MementorError } from "../../../src/errors.ts";
import { BlockReader, LineReader } from "../../../src/ingest/transcript/lines.ts";
import { fcOptions } from "../../support/fast-check.ts";

const folder = mkdtempSync(join(tmpdir(), "mementor-lines-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "lines.jsonl");

/** Every line with its offset, the last one too when it has no newline; null for one that was too long. */
function readLines(offset = 0, maxLineBytes: number = READ.maxLineBytes): [number, string | null][] {
  const lines = new LineReader(path, offset, { maxLineBytes });
  const found: [number, string | null][] = [];
  const add = () => found.push([lines.offset, lines.tooLong ? null : lines.text()]);
  do while (lines.next()) add();
  while (lines.fill());
  if (lines.rest()) add();
  lines.close();
  return found;
}

function expected(text: string, offset = 0): [number, string][] {
  const lines = text.split("\n");
  let at = offset;
  const found = lines.map((line): [number, string] => {
    const start = at;
    at += Buffer.byteLength(line) + 1;
    return [start, line];
  });
  return lines.at(-1) === "" ? found.slice(0, -1) : found;
}

test("lines come with their offsets, from any line's start on", () => {
  const texts = fc.array(
    fc.string({ unit: "grapheme", maxLength: 30 }).map((line) => line.replaceAll("\n", "")),
  );
  fc.assert(
    fc.property(texts, fc.boolean(), (lines, ends) => {
      const text = lines.join("\n") + (ends ? "\n" : "");
      writeFileSync(path, text);
      const all = readLines();
      expect(all).toEqual(expected(text));
      for (const [i, [offset]] of all.entries()) expect(readLines(offset)).toEqual(all.slice(i));
    }),
    fcOptions(),
  );
});

test("lines longer than a block are whole, and those over the limit are passed by", () => {
  const long = "l".repeat(3 * READ.blockBytes + 7);
  const text = `a\n${long}\nb\n${long}${long}\nc\nd`;
  writeFileSync(path, text);
  expect(readLines()).toEqual(expected(text));
  const short = expected(text).map(([offset, line]) => [offset, line.length > long.length ? null : line]);
  expect(readLines(0, 4 * READ.blockBytes)).toEqual(short as [number, string | null][]);
  writeFileSync(path, long.repeat(3));
  expect(readLines(0, READ.blockBytes)).toEqual([[0, null]]);
});

test("a line of as many bytes as allowed is kept", () => {
  writeFileSync(path, "12345\n123456\n12345");
  expect(readLines(0, 5)).toEqual([
    [0, "12345"],
    [6, null],
    [13, "12345"],
  ]);
});

test("a skipped line that starts inside a block has its own offset", () => {
  writeFileSync(path, `ab\n${"l".repeat(2 * READ.blockBytes)}\ncd\n`);
  expect(readLines(0, 10)).toEqual([
    [0, "ab"],
    [3, null],
    [4 + 2 * READ.blockBytes, "cd"],
  ]);
});

test("lines that end just behind a block are found", () => {
  const half = READ.blockBytes / 2;
  const text = `${"x".repeat(half)}\n${"y".repeat(half)}\nz\n`;
  writeFileSync(path, text);
  expect(readLines()).toEqual(expected(text));
});

test("a second object right behind the first is seen, in its line only", () => {
  const glued = (text: string) => {
    writeFileSync(path, text);
    const lines = new LineReader(path, 0);
    const found: boolean[] = [];
    do while (lines.next()) found.push(lines.hasGlue(), lines.hasGlue());
    while (lines.fill());
    lines.close();
    return found.filter((_, i) => i % 2 === 0);
  };
  expect(glued('{"a":1}\n{"a":1}{"b":2}\n{"a":"x}{y"}\n')).toEqual([false, true, false]);
  expect(glued('}{"a":1}\nno\n')).toEqual([true, false]);
  const block = `${"x".repeat(READ.blockBytes)}\n`;
  expect(glued(`${block}{}{"a":1}\n${block}{}\n`)).toEqual([false, true, false, false]);
});

test("readers share no bytes, whichever is closed first and how often", () => {
  const blocks = new BlockReader();
  const reader = (text: string) => new LineReader(Buffer.from(text), 0, { blocks });
  const lineOf = (lines: LineReader) =>
    lines.next() || (lines.fill() && lines.next()) ? lines.text() : null;
  const closed = reader("before\n");
  lineOf(closed);
  closed.close();
  const first = reader("first\n");
  closed.close();
  const second = reader("second\n");
  expect([first, second].map((lines) => lines.fill())).toEqual([true, true]);
  expect([first, second].map(lineOf)).toEqual(["first", "second"]);
});

test("a missing file is an error of ours", () => {
  expect(() => new LineReader(join(folder, "none.jsonl"), 0)).toThrow(MementorError);
});
