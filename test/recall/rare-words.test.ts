import { expect, test } from "bun:test";
import { rareWords, sharedRarity } from "../../src/recall/rare-words.ts";

test("words are shared by their rarity, in any form", () => {
  const words = rareWords("The ferries and the violins are the ferries");
  expect([...words.keys()]).toEqual(["ferri", "violin"]);
  expect(sharedRarity(words, "")).toBe(0);
  expect(sharedRarity(words, "ferries, violin")).toBe(1);
  const [ferry = 0, violin = 0] = words.values();
  expect(sharedRarity(words, "a violin")).toBeCloseTo(violin / (ferry + violin));
  expect(sharedRarity(new Map(), "a violin")).toBe(0);
  expect(rareWords("alpha beta gamma", 2).size).toBe(2);
});
