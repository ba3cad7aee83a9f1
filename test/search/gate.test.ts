import { describe, expect, test } from "bun:test";
import { decide, gateFeatures } from "../../src/search/gate.ts";
import { aQuery, aScored, aTurn } from "./made.ts";

const query = aQuery({
  terms: [
    { term: "parser", turnIds: [1], weight: 3 },
    { term: "kubernetes", turnIds: [], weight: 5 },
  ],
  phrases: ["parser tests", "kubernetes pods"],
});

describe("gateFeatures", () => {
  test("weighs words, phrases, distances and agreement", () => {
    const ranked = [
      aScored(aTurn({ turnId: 1, sessionId: "a" }), { distance: 0.2, chunkKeywords: 4 }),
      aScored(aTurn({ turnId: 2, sessionId: "b" }), { distance: 0.3, chunkKeywords: 1 }),
    ];
    const features = gateFeatures(ranked, query, { median: 0.4, deviation: 0.05 }, { chunks: ["The parser's tests."] });
    expect(features).toEqual({
      standing: expect.closeTo(4),
      nearness: 0.8,
      coverage: 3 / 8,
      rareWords: Math.log(4),
      phrases: 0,
      agreement: 1,
      named: 0,
    });
  });

  test("takes the distance of the prompt as it was typed", () => {
    const ranked = [aScored(aTurn({ turnId: 1 }), { distance: 0.1, plainDistance: 0.35, files: 1 })];
    const features = gateFeatures(ranked, query, { median: 0.4, deviation: 0.05 }, { chunks: ["parser tests"] });
    expect(features).toMatchObject({ nearness: 0.65, phrases: 0.5, named: 1 });
  });

  test("has nothing to say without vectors and words", () => {
    expect(gateFeatures([], aQuery(), null, { chunks: [] })).toEqual({
      standing: 0,
      nearness: 0,
      coverage: 0,
      rareWords: 0,
      phrases: 0,
      agreement: 0,
      named: 0,
    });
  });
});

describe("decide", () => {
  const nothing = { standing: 0, nearness: 0, coverage: 0, rareWords: 0, phrases: 0, agreement: 0, named: 0 };
  const everything = { standing: 5, nearness: 0.9, coverage: 1, rareWords: 3.5, phrases: 0.9, agreement: 1, named: 1 };

  test("opens for strong evidence only, and says what decided", () => {
    expect(decide(nothing, 1_000).open).toBe(false);
    const decision = decide(everything, 1_000);
    expect(decision.open).toBe(true);
    expect(decision.probability).toBeGreaterThan(decision.threshold);
    expect(Object.keys(decision.contributions)).toEqual(Object.keys(everything));
  });

  test("never closes for more evidence", () => {
    for (const name of ["standing", "nearness", "coverage", "rareWords", "phrases", "agreement", "named"] as const)
      expect(decide({ ...nothing, [name]: everything[name] }, 100).probability).toBeGreaterThanOrEqual(
        decide(nothing, 100).probability,
      );
  });

  test("asks more of a small memory", () => {
    expect(decide(everything, 3).probability).toBeLessThan(decide(everything, 300).probability);
  });
});
