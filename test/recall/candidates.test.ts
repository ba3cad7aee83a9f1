import { describe, expect, test } from "bun:test";
import { collectCandidates } from "../../src/recall/candidates.ts";
import { aQuery, aStore } from "./made.ts";

/** The words and phrases for which chunks are looked up. */
async function lookedUp(terms: [term: string, turnIds: number[] | null][], phrases: string[]) {
  const asked: (readonly string[])[] = [];
  const store = aStore({
    keywordChunks: async (words) => {
      asked.push(words);
      return [];
    },
  });
  const query = aQuery({
    terms: terms.map(([term, turnIds]) => ({ term, turnIds, weight: 1, rarity: 1, share: 0.01 })),
    phrases,
  });
  await collectCandidates(query, null, store, {});
  return asked;
}

describe("collectCandidates", () => {
  test("looks up rare words, and phrases that hold one and no common one", async () => {
    const terms: [string, number[] | null][] = [
      ["parser", [1]],
      ["invoice", [1, 2]],
      ["rounding", [3]],
      ["tax", [4]],
      ["test", null],
    ];
    const phrases = ["invoice parser", "parser test", "the tax", "the test", "on the"];
    expect(await lookedUp(terms, phrases)).toEqual([
      ["parser", "invoice", "rounding", "tax", "invoice parser", "the tax"],
    ]);
  });

  test("looks up common ones too where there is little else, but none that is nowhere", async () => {
    const terms: [string, number[] | null][] = [
      ["parser", [1]],
      ["kubernetes", []],
      ["test", null],
    ];
    expect(await lookedUp(terms, ["parser test"])).toEqual([["parser", "test", "parser test"]]);
  });
});
