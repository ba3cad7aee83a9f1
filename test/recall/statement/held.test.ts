import { expect, test } from "bun:test";
import fc from "fast-check";
import { isContained, splitParagraphs } from "../../../src/recall/statement/held.ts";

const RULES = `# Rules

- Refunds always keep their **sign**, because the \`ledger\` sums them up at night.
- Uploads resume after 30 seconds.
  Then they give up.

The parser must not take amounts without a currency,
and it says so to the shop.

| step | what it does |
| --- | --- |
| load | reads all of the orders |
注文の返金は符号を保つ。
`;

test.each([
  ["the same words", "Refunds always keep their sign, because the ledger sums them up at night."],
  ["nine tenths of them", "The refunds always keep their sign because the ledger sums them up at night"],
  ["words that wrap", "The parser must not take amounts without a currency, and it says so to the shop."],
  ["a number", "Uploads resume after 30 seconds"],
  ["a row of a table", "load reads all of the orders"],
  ["a script without spaces", "返金は符号を保つ"],
])("a statement is held with %s", (_what, statement) => {
  expect(isContained(statement, splitParagraphs(RULES))).toBe(true);
});

test.each([
  ["has other words", "Refunds always lose their sign, because the ledger sums up each order by itself."],
  [
    "has its words in another order",
    "Because the ledger sums them up at night, refunds always keep their sign.",
  ],
  ["is spread over two paragraphs", "The ledger sums them up at night. Uploads resume after 30 seconds."],
  [
    "negates what is held",
    "Refunds do not always keep their sign, because the ledger sums them up at night.",
  ],
  ["affirms what is negated", "The parser must take amounts without a currency, and it says so to the shop."],
  ["has another number", "Because uploads resume after 40 seconds. Then they give up, then they give up"],
  ["has two words", "the parser"],
  ["affirms what is negated right before", "take amounts without a currency, and it says so to the shop"],
  ["has its words far apart", "Refunds sums at night"],
])("a statement is not held that %s", (_what, statement) => {
  expect(isContained(statement, splitParagraphs(RULES))).toBe(false);
});

test("any text holds each of its own lines", () => {
  const word = fc.stringMatching(/^[a-z]{2,8}$/);
  const line = fc.array(word, { minLength: 3, maxLength: 30 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (lines) => {
      const paragraphs = splitParagraphs(lines.map((line) => `- ${line}`).join("\r\n"));
      expect(lines.every((line) => isContained(line, paragraphs))).toBe(true);
    }),
  );
});
