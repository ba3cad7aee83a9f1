import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { coveredWeight, densest, phraseShare, prepareQuery, turnPrompt } from "../../src/recall/coverage.ts";
import { parseText } from "../../src/turn/grammar.ts";
import { aQuery } from "./made.ts";

const query = (...terms: [string, number][]) =>
  prepareQuery(
    aQuery({
      terms: terms.map(([term, weight]) => ({ term, weight, rarity: 1, share: 0.01, turnIds: null })),
    }),
  );

describe("coveredWeight", () => {
  test("adds up the words that a text holds", () => {
    expect(coveredWeight(query(["parser", 2], ["quota", 3], ["none", 5]), "The Parser has a QUOTA")).toBe(5);
    expect(coveredWeight(query(["none", 5]), "")).toBe(0);
  });

  test.each<[string, string, boolean]>([
    ["testing", "it was tested", true],
    ["tested", "the tests", true],
    ["actions", "an action", true],
    ["boxes", "a box", false],
    ["quickly", "quick", true],
    ["tests", "one test", true],
    ["bring", "br", false],
    ["wings", "wing", true],
    ["string", "sting", false],
    ["string", "str", true],
  ])("%s is held by %j: %p", (word, text, held) => {
    expect(coveredWeight(query([word, 1]), text)).toBe(held ? 1 : 0);
  });
});

describe("densest", () => {
  const terms = query(["alpha", 2], ["omega", 3]);
  const apart = (chars: number) => `alpha${"-".repeat(chars)}omega`;

  test("counts words that stand within a sentence or two", () => {
    expect(densest(terms, "weight", apart(230))).toBe(5);
    expect(densest(terms, "weight", apart(231))).toBe(3);
    expect(densest(terms, "weight", "none")).toBe(0);
    expect(densest(terms, "rarity", apart(230))).toBe(2);
  });

  test("windows overlap by half", () => {
    expect(densest(terms, "weight", `${"-".repeat(200)}${apart(100)}`)).toBe(5);
    expect(densest(terms, "weight", `${"-".repeat(119)}${apart(200)}`)).toBe(3);
    expect(densest(terms, "weight", `${"-".repeat(100)}${apart(190)}`)).toBe(3);
  });

  test("of any text, it is the greatest sum of the words in one of its windows", () => {
    const piece = fc.oneof(
      fc.constantFrom("alpha", "omega", "alp", "alphalpha"),
      fc.nat(200).map((n) => "-".repeat(n)),
    );
    const words = query(["alpha", 2], ["omega", 3], ["lph", 4], ["phalp", 7], ["none", 9]);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join("");
        const sums = Array.from({ length: Math.ceil(text.length / 120) }, (_, i) => {
          const window = text.slice(i * 120, i * 120 + 240);
          return words.words.reduce((sum, { form, weight }) => sum + (window.includes(form) ? weight : 0), 0);
        });
        expect(densest(words, "weight", text)).toBe(Math.max(0, ...sums));
      }),
    );
  });
});

test("the share of phrases adds two to their number, and ignores punctuation between words", () => {
  const share = (text: string, ...phrases: string[]) => phraseShare(prepareQuery(aQuery({ phrases })), text);
  expect(share("The slow, parser!", "slow parser")).toBe(1 / 3);
  expect(share("slow parser tests", "slow parser", "parser test", "test slow")).toBe(2 / 5);
  expect(share("slow old parser", "slow parser")).toBe(0);
  expect(share("nothing", "slow parser")).toBe(0);
  expect(share("nothing")).toBe(0);
});

test("the prompt of a turn is what was asked, the first part of it when it is long", () => {
  expect(turnPrompt(parseText("[User] a\n\n[Assistant] b"))).toBe("[User] a");
  expect(turnPrompt(parseText("[User] a"))).toBe("[User] a");
  expect(turnPrompt(parseText(`[User] ${"a".repeat(20_000)}`)).length).toBe(16_000);
});
