import { describe, expect, test } from "bun:test";
import { decide, type GateFeatures, gateFeatures, judgeHits } from "../../src/recall/gate.ts";
import { aQuery, aScored, aTurn } from "./made.ts";

const query = aQuery({
  terms: [
    { term: "parser", turnIds: [1], weight: 3, rarity: 3, share: 0.01 },
    { term: "kubernetes", turnIds: [], weight: 2, rarity: 5, share: 0.01 },
  ],
  phrases: ["parser test", "kubernetes pods"],
});
const MEMORY = { turns: 10, chunks: 20, cohort: 0.6 };
const NOTHING: GateFeatures = gateFeatures([], aQuery(), MEMORY);

describe("gateFeatures", () => {
  test("weighs distances, words and phrases of the best turns", () => {
    const ranked = [
      aScored(aTurn({ turnId: 1, sessionId: "a" }), { distance: 0.2, turnKeywords: 4 }, "The parser tests."),
      aScored(aTurn({ turnId: 2, sessionId: "b" }), { distance: 0.3, turnKeywords: 1 }, "Nothing."),
    ];
    const { phrases, surprise, ...plain } = gateFeatures(ranked, query, MEMORY);
    expect(plain).toEqual({
      ...{ nearness: 0.8, cohort: 0.6, literals: 0, turnKeywords: 4 / 16, concentration: 1 / 2 },
      ...{ passageWords: 3 / 16, unknown: 5 / 16, size: Math.log(20) },
    });
    expect(phrases).toBeGreaterThan(0);
    expect(surprise).toBeGreaterThan(0);
  });

  test("adds up no phrases from different turns", () => {
    const texts = ["A parser test.", "Kubernetes pods."];
    const ranked = texts.map((passage, i) => aScored(aTurn({ turnId: i + 1 }), { distance: 0.3 }, passage));
    const alone = ranked.map((one) => gateFeatures([one], query, MEMORY).phrases);
    expect(gateFeatures(ranked, query, MEMORY).phrases).toBe(Math.max(...alone));
  });

  test("takes the distance of the prompt as it was typed", () => {
    const ranked = [aScored(aTurn({ turnId: 1 }), { distance: 0.1, plainDistance: 0.35, files: 1 })];
    expect(gateFeatures(ranked, query, MEMORY)).toMatchObject({ nearness: 0.65 });
  });

  test("is less surprised by words in a long turn than in a short one", () => {
    const surpriseOf = (filler: number) => {
      const text = `[User] parser ${"x ".repeat(filler)}`;
      return gateFeatures([aScored(aTurn({ turnId: 1, text }))], query, MEMORY).surprise;
    };
    expect(surpriseOf(20_000)).toBeLessThan(surpriseOf(10));
  });

  test("has nothing to say without vectors and words", () => {
    const { size, ...nothing } = gateFeatures([], aQuery(), { ...MEMORY, cohort: null });
    expect(Object.values(nothing).every((value) => value === 0)).toBe(true);
  });
});

describe("judge", () => {
  test("decides by words when the best turn has no vector", () => {
    const without = [aScored(aTurn({ turnId: 1 }), { chunkKeywords: 4 }, "The parser tests.")];
    const withVector = [
      aScored(aTurn({ turnId: 1 }), { chunkKeywords: 4, distance: 0.2 }, "The parser tests."),
    ];
    expect(judgeHits(without, query, MEMORY).kind).toBe("words");
    expect(judgeHits(withVector, query, MEMORY).kind).toBe("vectors");
    expect(judgeHits(withVector, query, { ...MEMORY, cohort: null }).kind).toBe("words");
  });
});

describe("decide", () => {
  const everything: GateFeatures = {
    ...{ nearness: 0.95, cohort: 0.6, passageWords: 0.9, phrases: 0.9, surprise: 3, unknown: 0 },
    ...{ literals: 1, turnKeywords: 1, concentration: 1, size: 4 },
  };

  test.each(["vectors", "words"] as const)(
    "opens for strong evidence only, and says what decided: %s",
    (kind) => {
      expect(decide(NOTHING, kind).open).toBe(false);
      const decision = decide(everything, kind);
      expect(decision.open).toBe(true);
      expect(decision.probability).toBeGreaterThan(decision.threshold);
      expect(Object.keys(decision.contributions).sort()).toEqual(Object.keys(everything).sort());
    },
  );

  test("asks more of a prompt that is near to anything", () => {
    const [plain, generic] = [0.6, 0.8].map((cohort) => decide({ ...everything, cohort }, "vectors"));
    expect(generic?.contributions.cohort).toBeLessThan(plain?.contributions.cohort ?? 0);
  });

  test("opens earlier when loose, later when strict, always when off", () => {
    const thresholds = (["off", "loose", "normal", "strict"] as const).map(
      (strictness) => decide(NOTHING, "vectors", strictness).threshold,
    );
    expect(thresholds).toEqual([0, 0.27, 0.5, 0.73]);
    expect(decide(NOTHING, "words", "off").open).toBe(true);
  });
});
