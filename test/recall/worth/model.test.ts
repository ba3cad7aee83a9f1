import { expect, test } from "bun:test";
import { type WorthFeatures, worthFeatures } from "../../../src/recall/worth/features.ts";
import { worthLimit, worthOf } from "../../../src/recall/worth/model.ts";
import { occasionOf } from "../../../src/recall/worth/occasion.ts";
import type { WorthKind } from "../../../src/recall/worth/weights.ts";
import { aQuery, aScored, aTurn } from "../made.ts";

const KINDS: WorthKind[] = ["vectors", "words"];

const LATER = { o_opening: 0, g_size: Math.log(2_000) };
const FIRST = { ...LATER, o_opening: 1 };

test.each(KINDS)("with %s, a turn is told the more seldom the stricter the gate is", (kind) => {
  const limits = (["off", "loose", "normal", "strict"] as const).map((strictness) =>
    worthLimit(kind, strictness, LATER),
  );
  expect(limits).toEqual(limits.toSorted((a, b) => a - b));
  expect([limits[0], new Set(limits).size]).toEqual([0, 4]);
  expect(limits[3]).toBeLessThan(1);
});

test.each(KINDS)("with %s, the first prompt of a session asks less of a turn", (kind) => {
  const opening = worthLimit(kind, "normal", FIRST);
  expect(opening).toBeLessThan(worthLimit(kind, "normal", LATER));
  expect(opening).toBeGreaterThan(worthLimit(kind, "loose", LATER));
  expect(worthLimit(kind, "off", FIRST)).toBe(0);
});

test.each(KINDS)("with %s, a young memory asks less of a turn, the less the fewer chunks it has", (kind) => {
  const limits = [100, 320, 400, 500, 600, 5_000].map((chunks) =>
    worthLimit(kind, "normal", { ...LATER, g_size: Math.log(chunks) }),
  );
  expect(limits).toEqual(limits.toSorted((a, b) => a - b));
  const [fewest, few, , , many, most] = limits;
  expect([fewest, many, new Set(limits).size]).toEqual([few, most, 4]);
});

/** The features of a turn that holds nothing of the prompt. */
function featuresOf(text: string): WorthFeatures {
  const parts = aQuery({ text });
  const asked = {
    parts,
    memory: { turns: 100, chunks: 100, cohort: 0.6 },
    occasion: occasionOf(text, parts, []),
    said: "",
    vectors: null,
  };
  const [features] = worthFeatures([aScored(aTurn({ turnId: 1 }))], asked, 1);
  if (features === undefined) throw new Error("nothing was judged");
  return features;
}

test("words of another language that no turn has do not count against it, where the model knows both languages", () => {
  const features = featuresOf("warum lehnt der Parser Erstattungen ab?");
  const [known, unknown] = [0.2, 0.8].map((g_unknown) => ({ ...features, g_unknown }));
  if (known === undefined || unknown === undefined) throw new Error("no features");
  const across = { acrossLanguages: true };
  expect(worthOf(known, "vectors", across)).toBe(worthOf(known, "vectors"));
  expect(worthOf(unknown, "vectors", across)).toBeGreaterThan(2 * worthOf(unknown, "vectors"));
  expect(worthOf(unknown, "words", across)).toBe(worthOf(unknown, "words"));
});

test.each(KINDS)("with %s, a turn that holds nothing of the prompt is not worth telling", (kind) => {
  const features = featuresOf("why does the invoice parser reject refunds?");
  expect(Object.values(features).every(Number.isFinite)).toBe(true);
  const probability = worthOf(features, kind);
  expect(probability).toBeGreaterThan(0);
  expect(probability).toBeLessThan(worthLimit(kind, "loose", LATER));
});
