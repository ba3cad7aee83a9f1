import { expect, test } from "bun:test";
import { sample } from "./sample.ts";

const items = Array.from({ length: 1_000 }, (_, i) => i);

test("draws so many different items, in their order", () => {
  const drawn = sample(items, 120, 7);
  expect(new Set(drawn).size).toBe(120);
  expect(drawn).toEqual(drawn.toSorted((a, b) => a - b));
});

test("draws the same with the same seed, others with another, and all where there are not more", () => {
  expect(sample(items, 120, 7)).toEqual(sample(items, 120, 7));
  expect(sample(items, 120, 7)).not.toEqual(sample(items, 120, 8));
  expect(sample(items, 2_000, 7)).toEqual(items);
});
