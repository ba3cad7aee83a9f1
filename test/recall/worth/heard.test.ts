import { describe, expect, test } from "bun:test";
import { quotationTest, repetitionTest } from "../../../src/recall/worth/heard.ts";

const PROMPT = "Refunds keep their sign, as the ledger sums them up at night. Änderungen später.";

describe("a statement repeats what was heard", () => {
  const isHeard = repetitionTest([PROMPT, "在夜间账本会把它们加起来，所以退款保留符号"]);

  test.each([
    ["in other letters and with other marks", "REFUNDS keep their **sign**; as the `ledger` sums them"],
    [
      "in one of its sentences",
      `They are paid at noon. As the ledger sums them up at night; ${"And so on. ".repeat(9)}`,
    ],
    ["without spaces between words", "账本会把它们加起来"],
  ])("%s", (_, statement) => {
    expect(isHeard(statement)).toBe(true);
  });

  test.each([
    [
      "by the same words in another order",
      "The ledger sums refunds, and their sign they keep at night as well.",
    ],
    ["by a few words", "Refunds keep their sign."],
    ["of nothing", ""],
  ])("not %s", (_, statement) => {
    expect(isHeard(statement)).toBe(false);
  });
});

describe("a statement says nothing beyond a text", () => {
  const isQuoted = quotationTest(PROMPT);

  test.each([
    [
      "what it quotes",
      "According to the notes, refunds keep their sign, as the ledger sums them up at night.",
      true,
    ],
    [
      "a sentence beside it",
      "Refunds keep their sign, as the ledger sums them up. Fees are rounded up.",
      false,
    ],
    ["a word that changes it", "But refunds keep their sign, as the ledger sums them up at night.", false],
    ["a number", "Refunds keep their sign, as the ledger sums them up at night, at 23:30.", false],
    ["nothing", "", false],
  ])("%s", (_, statement, expected) => {
    expect(isQuoted(statement)).toBe(expected);
  });
});
