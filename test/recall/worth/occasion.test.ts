import { describe, expect, test } from "bun:test";
import type { QueryTerm } from "../../../src/recall/query.ts";
import { type Occasion, occasionOf } from "../../../src/recall/worth/occasion.ts";

const NO_PARTS = { terms: [], fileHints: [], literals: { numbers: [], identifiers: [] } };
const term = (term: string, rarity: number): QueryTerm => ({
  term,
  rarity,
  turnIds: [],
  weight: 0,
  share: 0,
});

function occasion(prompt: string, own: string[] = [], terms: QueryTerm[] = []): Occasion {
  return occasionOf(prompt, { ...NO_PARTS, terms }, own);
}

describe("occasionOf", () => {
  test("describes a whole prompt", () => {
    const parts = {
      terms: [term("parser", 3), term("refunds", 6)],
      fileHints: ["src/parse.ts"],
      literals: { numbers: ["12"], identifiers: ["parseTurn"] },
    };
    const prompt = "Why does parseTurn in src/parse.ts refuse refunds?";
    expect(occasionOf(prompt, parts, ["[User] Look at the Parser", "[User] And the refund"])).toEqual({
      length: Math.log(prompt.length),
      question: 1,
      chore: 0,
      pointing: 0,
      reply: 0,
      correction: 0,
      pasted: 0,
      request: 1,
      lookBack: 0,
      names: Math.log1p(2),
      rarity: 0.3,
      opening: 0,
      turns: Math.log1p(2),
      known: 1,
      knownLast: 6 / 9,
    });
  });

  test("the first prompt of a session opens it, and nothing of it is known", () => {
    expect(occasion("Mend refunds", [], [term("refunds", 6)])).toMatchObject({
      ...{ opening: 1, turns: 0, known: 0, knownLast: 0 },
    });
    expect(occasion("", ["[User] a"])).toMatchObject({ length: 0, known: 0, rarity: 0 });
  });

  test.each<[keyof Occasion, string]>([
    ["question", "这是什么？"],
    ["reply", "yes, the second one"],
    ["reply", "2. with tests"],
    ["correction", "that's wrong, use cents instead"],
    ["pasted", "Traceback (most recent call last):"],
    ["pasted", "see\n  at parse (src/a.ts:3:14)"],
    ["pasted", "one\ntwo\nthree\nfour\nfive\n"],
    ["request", "we need a cache"],
    ["lookBack", "as we decided, keep cents"],
    ["lookBack", "what did we use last time?"],
  ])("sees a sign of %s in: %s", (name, prompt) => {
    expect(occasion(prompt)[name]).toBe(1);
  });

  test("a plain request is none of that", () => {
    expect(occasion("Add a cache for parsed invoices")).toMatchObject({
      ...{
        question: 0,
        chore: 0,
        pointing: 0,
        reply: 0,
        correction: 0,
        pasted: 0,
        request: 1,
        lookBack: 0,
        names: 0,
      },
    });
  });

  test("words that point into the conversation weigh more in a short prompt", () => {
    expect(occasion("do it again").pointing).toBe(1);
    expect(occasion("let the parser of invoices read it as cents").pointing).toBeCloseTo(3 / 11);
  });
});
