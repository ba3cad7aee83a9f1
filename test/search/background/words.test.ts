import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { chanceOf, shareOfTexts } from "../../../src/search/background/words.ts";

describe("shareOfTexts", () => {
  test("knows common words of developers from rare ones, in any form", () => {
    expect(shareOfTexts("file")).toBeGreaterThan(0.2);
    expect(shareOfTexts("kangaroo")).toBeLessThan(0.001);
    expect(shareOfTexts("imports")).toBe(shareOfTexts("import"));
    expect(shareOfTexts("imported")).toBe(shareOfTexts("import"));
  });

  test("takes no part of a word for the word", () => {
    expect(shareOfTexts("fil")).toBeLessThan(0.001);
    expect(shareOfTexts("")).toBeLessThan(0.001);
  });

  test("comes from tables of at most a megabyte", () => {
    const folder = join(import.meta.dir, "../../../src/search/background");
    const sizes = ["words.txt", "turns.vectors.txt"].map((name) => statSync(join(folder, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000);
  });
});

test("a longer text holds a word sooner by chance", () => {
  expect([0, 1, 2].map((times) => chanceOf(0.5, times))).toEqual([0, 0.5, 0.75]);
});
