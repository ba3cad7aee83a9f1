import { describe, expect, test } from "bun:test";
import { rateConfidence } from "../../src/recall/confidence.ts";
import type { QueryTerm } from "../../src/recall/query.ts";
import { aQuery, aScored, aTurn } from "./made.ts";

const MEMORY = { turns: 600, chunks: 5_000, cohort: 0.5 };

function term(word: string, rarity: number, turnIds: readonly number[] | null = [1]): QueryTerm {
  return { term: word, turnIds, weight: rarity, rarity, share: 0.001 };
}

function result(passage: string, found: { distance?: number; turnKeywords?: number; files?: number } = {}) {
  const turn = aTurn({ turnId: 1, text: `[User] ${passage}` });
  return aScored(turn, { distance: 0.2, turnKeywords: 4, ...found }, passage);
}

describe("confidenceOf", () => {
  const asked = [term("rate", 3.8), term("limit", 1.6), term("upload", 5), term("segment", 0.5)];

  test("is strong where one passage has the words together", () => {
    const query = aQuery({ text: "rate limit of the segment's upload", terms: asked });
    expect(rateConfidence([result("The upload segment has a rate limit.")], query, MEMORY)).toBe("strong");
  });

  test("is not strong where passages have only the words around the matter", () => {
    const query = aQuery({
      text: "rate limit of the segment's upload",
      terms: asked,
      phrases: ["rate limit"],
    });
    const around = [
      result("Set a rate limit per address; the segment shows it."),
      result("The upload is slow."),
    ];
    expect(rateConfidence(around, query, MEMORY)).toBe("likely");
  });

  test("is the surer, the more of the first matter was found than of the second", () => {
    const terms = [term("rate", 3.8), term("limit", 1.6), term("upload", 5), term("pause", 5, [2])];
    const query = aQuery({ text: "rate limit of the upload's pause", terms });
    const found = [result("Set a limit per address.", { distance: 0.5, turnKeywords: 0.3 })];
    const rated = (...weights: number[]) =>
      rateConfidence(found, query, MEMORY, { matters: weights.map((weight) => ({ weight, states: [] })) });
    expect(rated(1, 1)).toBe("weak");
    expect(rated(3, 1)).toBe("likely");
    expect(rated(1)).toBe("likely");
    expect(rated()).toBe("weak");
  });

  test("is the surer, the more words of the question the first matter has than its neighbour", () => {
    const terms = [term("rate", 3.8), term("limit", 1.6), term("upload", 5), term("pause", 5, [2])];
    const query = aQuery({ text: "rate limit of the upload's pause", terms });
    const found = [result("Set a limit per address.", { distance: 0.5, turnKeywords: 0.3 })];
    const matter = (text: string) => ({
      ...{ weight: 1, states: [{ conversation: { turns: [aTurn({ turnId: 1, text })] } }] },
    });
    const rated = (...texts: string[]) =>
      rateConfidence(found, query, MEMORY, { matters: texts.map(matter) });
    const answer = "[User] the upload's rate limit\n\n[Assistant] A pause of a second.";
    const neighbour = "[User] a limit for the colours";
    expect(rated(answer, neighbour)).toBe("likely");
    expect(rated(answer, answer)).toBe("weak");
    expect(rated(neighbour, answer)).toBe("weak");
  });

  test("is not strong where only the next prompt, kept beside the turn, has the words", () => {
    const query = aQuery({ text: "rate limit of the segment's upload", terms: asked });
    const text = "[User] Merge it\n\n[Assistant] Merged.\n\n[User] Has the upload segment a rate limit?";
    const passage = "Merged.\n\n[User] Has the upload segment a rate limit?";
    const found = { distance: 0.2, turnKeywords: 4 };
    const before = aScored(aTurn({ turnId: 1, text }), found, passage, "Merged.");
    expect(rateConfidence([before], query, MEMORY)).toBe("likely");
    expect(rateConfidence([before, result("The upload segment has a rate limit.")], query, MEMORY)).toBe(
      "strong",
    );
  });

  test("finds a compound as it was typed", () => {
    const query = aQuery({
      text: "go-git ignores the index",
      terms: [term("gogit", 4), term("go", 0.8), term("git", 0.7), term("ignores", 3), term("index", 2)],
    });
    expect(rateConfidence([result("go-git ignores the index on Windows.")], query, MEMORY)).toBe("strong");
  });

  test.each([
    ["one common word", "shadow", [term("shadow", 1.2)]],
    ["one word that is in most turns", "entire", [term("entire", 0.7, null)]],
    ["two common words", "shadow entire", [term("shadow", 1.2), term("entire", 0.7, null)]],
  ])("answers %s with the turns that have it", (_what, text, terms) => {
    const found = result("The entire shadow.", { distance: 0.6, turnKeywords: 0.2 });
    expect(rateConfidence([found], aQuery({ text, terms }), MEMORY)).toBe("likely");
  });

  test.each([
    ["far apart", "The rate is low.\nA limit is set."],
    ["as a part of another word", "A strategy with a limit."],
    ["in other sentences", `The rate is low. ${"It stays so for a while. ".repeat(5)}A limit is set.`],
  ])("does not answer two words that stand %s", (_where, text) => {
    const query = aQuery({ text: "rate limit", terms: [term("rate", 1.4), term("limit", 1.2)] });
    expect(rateConfidence([result(text, { distance: 0.6, turnKeywords: 0.2 })], query, MEMORY)).toBe("weak");
    const together = result(`${text}\nLimits: setRateLimit`, { distance: 0.6, turnKeywords: 0.2 });
    expect(rateConfidence([together], query, MEMORY)).toBe("likely");
  });

  test("does not answer a question whose one meaningful word is common", () => {
    const query = aQuery({ text: "how did it all come to this shadow", terms: [term("shadow", 1.2)] });
    const found = result("The entire shadow.", { distance: 0.6, turnKeywords: 0.2 });
    expect(rateConfidence([found], query, MEMORY)).toBe("weak");
  });

  test("does not answer a word that no turn has", () => {
    const query = aQuery({ text: "kubernetes", terms: [term("kubernetes", 7, [])] });
    expect(rateConfidence([result("The entire shadow.", { distance: 0.6 })], query, MEMORY)).toBe("weak");
  });

  test("answers a path with the turns that touched it", () => {
    const query = aQuery({ text: "src/limit.ts", terms: [term("limitts", 5, [])] });
    const found = result("Done.", { distance: 0.6, turnKeywords: 0, files: 1 });
    expect(rateConfidence([found], query, MEMORY)).toBe("likely");
  });

  test("is weak without results", () => {
    expect(rateConfidence([], aQuery(), MEMORY)).toBe("weak");
  });
});
