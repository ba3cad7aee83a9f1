import { expect, test } from "bun:test";
import { worthFeatures } from "../../../src/search/worth/features.ts";
import { worthLimit, worthOf } from "../../../src/search/worth/model.ts";
import { occasionOf } from "../../../src/search/worth/occasion.ts";
import type { WorthKind } from "../../../src/search/worth/weights.ts";
import { aQuery, aScored, aTurn } from "../made.ts";

const KINDS: WorthKind[] = ["vectors", "words"];

const LATER = { isOpening: false };

test.each(KINDS)("with %s, a turn is told the more seldom the stricter the gate is", (kind) => {
  const limits = (["off", "loose", "normal", "strict"] as const).map((strictness) =>
    worthLimit(kind, strictness, LATER),
  );
  expect(limits).toEqual(limits.toSorted((a, b) => a - b));
  expect([limits[0], new Set(limits).size]).toEqual([0, 4]);
  expect(limits[3]).toBeLessThan(1);
});

test.each(KINDS)("with %s, the first prompt of a session asks less of a turn", (kind) => {
  const opening = worthLimit(kind, "normal", { isOpening: true });
  expect(opening).toBeLessThan(worthLimit(kind, "normal", LATER));
  expect(opening).toBeGreaterThan(worthLimit(kind, "loose", LATER));
  expect(worthLimit(kind, "off", { isOpening: true })).toBe(0);
});

test.each(KINDS)("with %s, a turn that holds nothing of the prompt is not worth telling", (kind) => {
  const text = "why does the invoice parser reject refunds?";
  const parts = aQuery({ text });
  const asked = {
    parts,
    memory: { turns: 100, chunks: 100, cohort: 0.6 },
    occasion: occasionOf(text, parts, []),
    said: "",
    vectors: null,
  };
  const [features] = worthFeatures([aScored(aTurn({ turnId: 1 }))], asked, 1);
  expect(Object.values(features ?? { none: Number.NaN }).every(Number.isFinite)).toBe(true);
  const probability = features ? worthOf(features, kind) : 1;
  expect(probability).toBeGreaterThan(0);
  expect(probability).toBeLessThan(worthLimit(kind, "loose", LATER));
});
