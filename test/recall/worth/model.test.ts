import { expect, test } from "bun:test";
import type { GateKind } from "../../../src/recall/gate.ts";
import { type MeasuredTurn, measureTurns } from "../../../src/recall/worth/features.ts";
import { estimateWorth, worthLimit } from "../../../src/recall/worth/model.ts";
import { aQuery, aScored, aTurn } from "../made.ts";

const KINDS: GateKind[] = ["vectors", "words"];

const CHUNKS = 2_000;
const LATER = { isOpening: false, chunks: CHUNKS };
const FIRST = { ...LATER, isOpening: true };

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
    worthLimit(kind, "normal", { ...LATER, chunks }),
  );
  expect(limits).toEqual(limits.toSorted((a, b) => a - b));
  const [fewest, few, , , many, most] = limits;
  expect([fewest, many, new Set(limits).size]).toEqual([few, most, 4]);
});

test.each(KINDS)("with %s, a turn is told the sooner the less its session said before", (kind) => {
  const [first, later] = [0, 8].map((ownTurns) =>
    estimateWorth(measuredFor("why does the parser reject refunds?", kind, ownTurns), { chunks: CHUNKS }),
  ) as [number, number];
  expect(first).toBeGreaterThan(later);
});

/** What is measured of a turn that holds nothing of the prompt. */
function measuredFor(prompt: string, kind: GateKind, ownTurns = 0): MeasuredTurn {
  const memory = { turns: 100, chunks: 100, cohort: kind === "vectors" ? 0.6 : null };
  const asked = { prompt, parts: aQuery({ text: prompt }), memory, ownTurns };
  const [of] = measureTurns([aScored(aTurn({ turnId: 1 }), { distance: 0.4 })], asked, 1);
  if (of === undefined) throw new Error("nothing was measured");
  return of;
}

test("words of another language that no turn has do not count against it, where the model knows both languages", () => {
  const chanceOf = (kind: GateKind, unknown: number, acrossLanguages: boolean) =>
    estimateWorth(
      { ...measuredFor("warum lehnt der Parser Erstattungen ab?", kind), unknown },
      { chunks: CHUNKS, acrossLanguages },
    );
  expect(chanceOf("vectors", 0.2, true)).toBe(chanceOf("vectors", 0.2, false));
  expect(chanceOf("vectors", 0.8, true)).toBeGreaterThan(2 * chanceOf("vectors", 0.8, false));
  expect(chanceOf("words", 0.8, true)).toBe(chanceOf("words", 0.8, false));
});

test("the smaller a memory is, the more the gate decides", () => {
  const of = { ...measuredFor("why does the invoice parser reject refunds?", "words"), gate: 0.9 };
  const [few, more, many] = [1, 100, CHUNKS].map((chunks) => estimateWorth(of, { chunks })) as [
    number,
    number,
    number,
  ];
  expect(few).toBeCloseTo(0.9, 1);
  expect([few > more, more > many]).toEqual([true, true]);
});

test.each(KINDS)("with %s, a turn that holds nothing of the prompt is not worth telling", (kind) => {
  const of = measuredFor("why does the invoice parser reject refunds?", kind);
  expect(of.kind).toBe(kind);
  expect(Object.values(of.features).every(Number.isFinite)).toBe(true);
  const probability = estimateWorth(of, { chunks: CHUNKS });
  expect(probability).toBeGreaterThan(0);
  expect(probability).toBeLessThan(worthLimit(kind, "loose", LATER));
});
