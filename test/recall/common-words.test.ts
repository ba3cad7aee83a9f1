import { describe, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { chanceOf, shareOfTexts } from "../../src/recall/common-words.ts";
import { wordForm } from "../../src/recall/word-form.ts";

const FOLDER = join(import.meta.dir, "../../src/recall");

describe("shareOfTexts", () => {
  test("distinguishes common words of developers from rare ones, in any form", () => {
    expect(shareOfTexts("file")).toBeGreaterThan(0.2);
    expect(shareOfTexts("kangaroo")).toBeLessThan(0.001);
    expect(shareOfTexts("imports")).toBe(shareOfTexts("import"));
    expect(shareOfTexts("imported")).toBe(shareOfTexts("import"));
  });

  test("takes no part of a word for the word", () => {
    expect(shareOfTexts("fil")).toBeLessThan(0.001);
    expect(shareOfTexts("")).toBeLessThan(0.001);
  });

  test("finds every form that the table lists, and none that it does not", () => {
    const [pieces = "", ...lines] = readFileSync(join(FOLDER, "words.txt"), "utf8").trimEnd().split("\n");
    const listed = new Map(lines.map((line) => line.split(" ") as [string, string]));
    for (const [form, count] of listed) {
      if (wordForm(form) === form)
        expect([form, shareOfTexts(form)]).toEqual([form, Number(count) / (Number(pieces) + 2)]);
      const other = `${form}\u{10ffff}`;
      expect([other, shareOfTexts(other)]).toEqual([other, 1 / (Number(pieces) + 2)]);
    }
    expect([...listed.keys()]).toEqual([...listed.keys()].sort());
  });

  test("comes from tables of at most a megabyte", () => {
    const sizes = ["words.txt", "turns.vectors.txt"].map((name) => statSync(join(FOLDER, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000);
  });
});

test("a longer text holds a word sooner by chance", () => {
  expect([0, 1, 2].map((times) => chanceOf(0.5, times))).toEqual([0, 0.5, 0.75]);
});
