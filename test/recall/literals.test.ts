import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findLiterals, heldShare } from "../../src/recall/literals.ts";
import { fcOptions } from "../support/fast-check.ts";

describe("literals", () => {
  test.each([
    ["all 1319 tests pass in 45 s", ["1319", "45"], []],
    ["since 2.1.39 exit code 127", ["2.1.39", "127"], []],
    ["7 of 9", [], []],
    ["does parseLine call max_age?", [], ["parseline", "max_age"]],
    ["run `bun run lint:fix --write`.", [], ["lint:fix", "--write"]],
    ["see src/cli.ts, e.g. the i/o part; i.e. stdin.", [], ["src/cli.ts"]],
    ["HTTPServer and NASA", [], ["httpserver"]],
    ["1319 and 1319 again", ["1319"], []],
    ["なぜ src/日本.ts は失敗", [], ["src/日本.ts"]],
    ["", [], []],
  ])("finds in %j the numbers %j and the names %j", (query, numbers, identifiers) => {
    expect(findLiterals(query)).toEqual({ numbers, identifiers });
  });

  test("takes no more than twenty of a kind", () => {
    const pasted = Array.from(
      { length: 500 },
      (_, i) => `${1_000 + i} the_${"abcdefghij"[i % 10]}${"klmnop"[i % 6]}`,
    );
    const { numbers, identifiers } = findLiterals(pasted.join(" "));
    expect([numbers.length, identifiers.length]).toEqual([20, 20]);
  });
});

describe("heldShare", () => {
  test("counts what a text holds, a number only as a whole", () => {
    expect(heldShare(["1319"], "all 1319 tests")).toBe(0.5);
    expect(heldShare(["1319"], "1 13190 tests, 21319 more")).toBe(0);
    expect(heldShare(["1319"], "13190, then 1319.")).toBe(0.5);
    expect(heldShare(["v1319"], "v1319b v13190")).toBe(0.5);
    expect(heldShare(["lint:fix", "42"], "ran lint:fix")).toBeCloseTo(1 / 3);
    expect(heldShare([], "anything")).toBe(0);
  });

  test("holds every literal of a text by itself", () => {
    const text = fc.string({
      unit: fc.constantFrom("3", "19", "a", "Row", "_", ".", "/", "-", ":", "#", "ß", "İ", " ", "\n"),
    });
    fc.assert(
      fc.property(text, (text) => {
        const { numbers, identifiers } = findLiterals(text);
        for (const literal of [...numbers, ...identifiers])
          expect(heldShare([literal], text.toLowerCase())).toBe(0.5);
      }),
      fcOptions(),
    );
  });
});
