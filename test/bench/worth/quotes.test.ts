import { expect, test } from "bun:test";
import { findQuote } from "./quotes.ts";

const said = "The **tide** is late. It is sent\nonce a day, because the harbour sends it so.";
const text = `Answer: ${said}`;
const turn = { text, parts: [{ kind: "answer" as const, start: 8, end: text.length }] };
const found = (quote: string) => findQuote(turn, quote).map(([start, end]) => text.slice(start, end));

test.each([
  ["the tide is late.", ["The **tide** is late"]],
  ["It is sent once a day", ["It is sent\nonce a day"]],
  ["the harbour sends it … The tide is late", ["The **tide** is late", "the harbour sends it"]],
  ["once a day, since the harbour sends it so", ["once a day, because the harbour sends it so."]],
  ["the table is read at start", []],
  ["tide", []],
])("%j is found", (quote, expected) => {
  expect(found(quote)).toEqual(expected);
});
