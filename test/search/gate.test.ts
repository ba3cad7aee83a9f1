import { describe, expect, test } from "bun:test";
import { decide, type GateFeatures, gateFeatures } from "../../src/search/gate.ts";
import { aQuery, aScored, aTurn } from "./made.ts";

const query = aQuery({
  terms: [
    { term: "parser", turnIds: [1], weight: 3 },
    { term: "kubernetes", turnIds: [], weight: 2 },
  ],
  phrases: ["parser test", "kubernetes pods"],
});
const NOTHING: GateFeatures = gateFeatures([], aQuery());

describe("gateFeatures", () => {
  test("weighs distances, words and phrases of the best turns, and agreement", () => {
    const ranked = [
      aScored(aTurn({ turnId: 1, sessionId: "a" }), { distance: 0.2, chunkKeywords: 4 }, "The parser tests."),
      aScored(aTurn({ turnId: 2, sessionId: "b" }), { distance: 0.3, chunkKeywords: 1 }, "Nothing."),
    ];
    expect(gateFeatures(ranked, query)).toEqual({
      nearness: 0.8,
      phrases: 1 / 4,
      turnCoverage: 3 / 10,
      unknown: 2 / 10,
      keywordStrength: 4 / 10,
      words: Math.log1p(2),
      agreement: 1,
      named: 0,
    });
  });

  test("adds up no phrases from different turns", () => {
    const ranked = ["A parser test.", "Kubernetes pods."].map((passage, i) =>
      aScored(aTurn({ turnId: i + 1 }), { distance: 0.3 }, passage),
    );
    expect(gateFeatures(ranked, query).phrases).toBe(1 / 4);
  });

  test("takes the distance of the prompt as it was typed", () => {
    const ranked = [aScored(aTurn({ turnId: 1 }), { distance: 0.1, plainDistance: 0.35, files: 1 })];
    expect(gateFeatures(ranked, query)).toMatchObject({ nearness: 0.65, named: 1 });
  });

  test("takes no keyword score for more than one of each nat", () => {
    const ranked = [aScored(aTurn({ turnId: 1 }), { chunkKeywords: 40 })];
    expect(gateFeatures(ranked, query).keywordStrength).toBe(1);
  });

  test("agrees by half where the nearest turn and the one with the best words are of one session", () => {
    const ranked = (session: string) => [
      aScored(aTurn({ turnId: 1, sessionId: "a" }), { distance: 0.3, chunkKeywords: 1 }),
      aScored(aTurn({ turnId: 2, sessionId: "a" }), { distance: 0.2, chunkKeywords: 0 }),
      aScored(aTurn({ turnId: 3, sessionId: session }), { distance: null, chunkKeywords: 2 }),
    ];
    expect(gateFeatures(ranked("a"), aQuery()).agreement).toBe(0.5);
    expect(gateFeatures(ranked("b"), aQuery()).agreement).toBe(0);
    expect(gateFeatures(ranked("b").slice(0, 2), aQuery()).agreement).toBe(0.5);
    expect(gateFeatures(ranked("b").slice(1, 2), aQuery()).agreement).toBe(0);
  });

  test("has nothing to say without vectors and words", () => {
    expect(NOTHING).toEqual({
      ...{ nearness: 0, phrases: 0, turnCoverage: 0, unknown: 0 },
      ...{ keywordStrength: 0, words: 0, agreement: 0, named: 0 },
    });
  });
});

describe("decide", () => {
  const everything: GateFeatures = {
    ...{ nearness: 0.95, phrases: 0.9, turnCoverage: 0.95, unknown: 0 },
    ...{ keywordStrength: 2, words: 2, agreement: 1, named: 1 },
  };

  test("opens for strong evidence only, and says what decided", () => {
    expect(decide(NOTHING, 1_000).open).toBe(false);
    const decision = decide(everything, 1_000);
    expect(decision.open).toBe(true);
    expect(decision.probability).toBeGreaterThan(decision.threshold);
    expect(Object.keys(decision.contributions).sort()).toEqual(Object.keys(everything).sort());
  });

  test("asks more of a handful of chunks, and less of a small memory than of a large one", () => {
    const [handful = 0, small = 0, usual = 0, large = 0] = [1, 100, 2_000, 100_000].map(
      (chunks) => decide(everything, chunks).probability,
    );
    expect(handful).toBeLessThan(usual);
    expect(small).toBeGreaterThan(usual);
    expect(large).toBeCloseTo(usual, 2);
  });

  test("opens sooner when told to be loose, later when strict, always when off", () => {
    const thresholds = (["off", "loose", "normal", "strict"] as const).map(
      (strictness) => decide(NOTHING, 1_000, strictness).threshold,
    );
    expect(thresholds).toEqual([0, 0.27, 0.5, 0.73]);
    expect(decide(NOTHING, 1_000, "off").open).toBe(true);
  });
});
