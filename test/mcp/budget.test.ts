import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cutToTokens, fitItems, fittingLength, quotedTokens } from "../../src/mcp/text/answer.ts";
import {
  type AnswerItem,
  agentData,
  estimateTokens,
  itemTokens,
  named,
} from "../../src/recall/telling/agent-text.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.lorem({ maxCount: 40 }),
);

describe("tokens", () => {
  test.each([
    ["", 0],
    ["abc", 1],
    ["abcd", 2],
    ["日本語", 3],
    ["a日", 2],
  ])("of %j are taken to be %d", (text, tokens) => expect(estimateTokens(text)).toBe(tokens));

  test("a truncated text fits, is the start of the text, and splits no pair", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 10, max: 200 }), (raw, tokens) => {
        const text = raw.toWellFormed();
        const kept = text.slice(0, fittingLength(text, tokens));
        expect(quotedTokens(kept)).toBeLessThanOrEqual(tokens);
        expect(kept.isWellFormed()).toBe(true);
        expect(kept.length > 0 || text.length === 0).toBe(true);
        expect(quotedTokens(text) <= tokens ? kept : text).toBe(text);
      }),
    );
  });

  test("a cut is marked", () => {
    expect(cutToTokens("short", 20)).toBe("short");
    expect(cutToTokens("one two three four five six seven", 6)).toBe("one two three…");
  });

  test("items are kept from the first as long as they fit, and one always", () => {
    const item = (size: number): AnswerItem => ({
      text: named("x".repeat(size * 3)),
      data: agentData({ author: null, foreign: null }, {}),
    });
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 2, max: 50 })),
        fc.integer({ min: 0, max: 200 }),
        (sizes, tokens) => {
          const items = sizes.map(item);
          const kept = fitItems(items, tokens);
          const total = kept.reduce((sum, one) => sum + itemTokens(one), 0);
          expect(items.slice(0, kept.length)).toEqual(kept);
          expect(total <= tokens || kept.length <= 1).toBe(true);
          expect(kept.length).toBeGreaterThanOrEqual(Math.min(1, items.length));
          const next = items[kept.length];
          expect(next === undefined || total + itemTokens(next) > tokens).toBe(true);
        },
      ),
    );
  });
});
