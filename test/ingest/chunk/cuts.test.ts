import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { LEVEL, splitAtoms, splitLines } from "../../../src/ingest/chunk/atoms.ts";
import { CHUNK_LIMITS, chunkText } from "../../../src/ingest/chunk/markdown.ts";
import { parseText } from "../../../src/turn/grammar.ts";
import { fcOptions } from "../../support/fast-check.ts";

const FIXTURES = join(import.meta.dir, "../../../fixtures/chunk");
const TEXT = readFileSync(join(FIXTURES, "text.md"), "utf8");
/** Start and end of every chunk, by "maxTokens/overlapTokens". */
const CUTS: Record<string, [number, number][]> = JSON.parse(
  readFileSync(join(FIXTURES, "cuts.json"), "utf8"),
);

const tokens = (text: string): number => text.match(/[\p{L}\p{N}_]{1,8}|[^\s\p{L}\p{N}_]/gu)?.length ?? 0;

describe("a text is cut as in every database so far, or all of it would be embedded anew", () => {
  test.each(Object.entries(CUTS))("with limits of %s", (limits, cuts) => {
    const [maxTokens = 0, overlapTokens = 0] = limits.split("/").map(Number);
    const chunks = chunkText(parseText(TEXT), tokens, { maxTokens, overlapTokens });
    expect(chunks.map(({ start, end }) => [start, end])).toEqual(cuts);
  });

  test("whether or not its words are counted only once", () => {
    const pieces = [
      "a",
      "word ",
      "\n",
      "\n\n# ",
      "x7".repeat(30),
      "\u00a0",
      "\u3000",
      "\f",
      "é.",
      " ",
      "```\n",
      "漢字。",
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 300 }).map((chosen) => chosen.join(""));
    fc.assert(
      fc.property(text, (given) => {
        const limits = { maxTokens: 24, overlapTokens: 6 };
        const once = chunkText(parseText(given), tokens, { ...limits, wordsAddUp: true });
        expect(once).toEqual(chunkText(parseText(given), tokens, limits));
      }),
      fcOptions(),
    );
  });

  test("with the limits for storing turns", () => {
    expect(CHUNK_LIMITS).toEqual({ maxTokens: 256, overlapTokens: 40, wordsAddUp: true });
  });
});

describe("places to cut", () => {
  const levels = (text: string, sections: number[] = []) =>
    splitLines(text, new Set(sections)).map(({ level, block }) => [level, block]);

  test.each<[string, string, number[]]>([
    ["a heading", "a\n# b\n", [LEVEL.line, LEVEL.heading]],
    ["text behind a heading and a blank line", "# a\n\nb\n", [LEVEL.heading, LEVEL.word, LEVEL.word]],
    ["a paragraph", "a\n\nb\n", [LEVEL.line, LEVEL.line, LEVEL.paragraph]],
    ["a list", "a\n- b\n2. c\n", [LEVEL.line, LEVEL.listItem, LEVEL.listItem]],
  ])("%s", (_, text, expected) => {
    const [first = LEVEL.paragraph, ...rest] = levels(text).map(([level]) => level);
    const isHeading = text.startsWith("#");
    expect([first, ...rest]).toEqual([isHeading ? LEVEL.heading : LEVEL.paragraph, ...expected.slice(1)]);
  });

  test("sections come before everything else", () => {
    expect(levels("a\n# b\n", [0, 2])).toEqual([
      [LEVEL.section, -1],
      [LEVEL.section, -1],
    ]);
  });

  test("a code block has a number, its fences included, and is cut between its lines", () => {
    expect(levels("a\n```\nb\n\nc\n```\nd\n~~~\ne\n")).toEqual([
      [LEVEL.paragraph, -1],
      [LEVEL.paragraph, 0],
      [LEVEL.sentence, 0],
      [LEVEL.sentence, 0],
      [LEVEL.line, 0],
      [LEVEL.sentence, 0],
      [LEVEL.paragraph, -1],
      [LEVEL.paragraph, 1],
      [LEVEL.sentence, 1],
    ]);
  });

  test("a line of blanks separates paragraphs up to the width that is looked at", () => {
    const after = (blanks: number) => levels(`a\n${" ".repeat(blanks)}\nb`).map(([level]) => level);
    expect(after(79)).toEqual([LEVEL.paragraph, LEVEL.line, LEVEL.paragraph]);
    expect(after(80)).toEqual([LEVEL.paragraph, LEVEL.line, LEVEL.line]);
  });

  test("a mark counts only at the start of its line", () => {
    const [line] = splitLines(`${" ".repeat(79)}- b`, new Set());
    expect(line?.level).toBe(LEVEL.paragraph);
    expect(splitLines(`a\n${" ".repeat(78)}- b`, new Set())[1]?.level).toBe(LEVEL.listItem);
    expect(splitLines(`a\n${" ".repeat(79)}- b`, new Set())[1]?.level).toBe(LEVEL.line);
  });
});

describe("atoms", () => {
  const atoms = (text: string, maxTokens = 8) =>
    splitAtoms(text, splitLines(text, new Set()), tokens, maxTokens).map(({ start, end, level }) => [
      text.slice(start, end),
      level,
    ]);

  test("are words; the start of a word after a sentence is a good place to cut", () => {
    expect(atoms('a b. c "d!") e')).toEqual([
      ["a", LEVEL.paragraph],
      ["b.", LEVEL.word],
      ["c", LEVEL.sentence],
      ['"d!")', LEVEL.word],
      ["e", LEVEL.sentence],
    ]);
  });

  test("of 32 signs stay whole, of 33 do not", () => {
    expect(atoms("x".repeat(32))).toEqual([["x".repeat(32), LEVEL.paragraph]]);
    expect(atoms("x".repeat(33))).toEqual([
      ["x".repeat(32), LEVEL.paragraph],
      ["x", LEVEL.inWord],
    ]);
    const long = "x".repeat(32);
    expect(atoms(`${long} 漢。字`).at(-1)).toEqual(["漢。字", LEVEL.word]);
  });

  test("have no more tokens than they may, where graphemes allow it", () => {
    expect(atoms("a.b.c.d", 2)).toEqual([
      ["a", LEVEL.paragraph],
      [".", LEVEL.inWord],
      ["b.", LEVEL.inWord],
      ["c", LEVEL.inWord],
      [".d", LEVEL.inWord],
    ]);
  });

  test("end after a full-width full stop if one is near", () => {
    expect(atoms(`${"漢".repeat(20)}。${"字".repeat(20)}`, 100)).toEqual([
      [`${"漢".repeat(20)}。`, LEVEL.paragraph],
      ["字".repeat(20), LEVEL.sentence],
    ]);
    expect(atoms(`。${"字".repeat(40)}`, 100)).toEqual([
      ["。", LEVEL.paragraph],
      ["字".repeat(32), LEVEL.sentence],
      ["字".repeat(8), LEVEL.inWord],
    ]);
  });

  test("never split a grapheme, nor a pair of surrogates where a grapheme is too long", () => {
    const marks = "e" + "\u0301".repeat(200);
    expect(atoms(marks).map(([text = ""]) => String(text).length)).toEqual([64, 64, 64, 9]);
    const pairs = "x" + "\u{1d165}".repeat(100);
    const pieces = atoms(pairs, 1_000).map(([text = ""]) => String(text));
    expect(pieces.join("")).toBe(pairs);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
  });

  test("are counted once when they are equal", () => {
    const counted: string[] = [];
    const count = (text: string) => {
      counted.push(text);
      return 1;
    };
    const text = "a b a b";
    splitAtoms(text, splitLines(text, new Set()), count, 8);
    expect(counted).toEqual(["a", "b"]);
  });
});
