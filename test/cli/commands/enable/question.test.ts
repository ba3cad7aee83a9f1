import { expect, test } from "bun:test";
import { answeredIn } from "../../../../src/cli/commands/enable/proof.ts";

const pair = (question: string, answer: string, notes?: string) =>
  `Question: ${question}\nAnswer: ${answer}${notes === undefined ? "" : `\nNotes: ${notes}`}`;

test("what the agent asked is the question, and the user's answer with its notes what it says", () => {
  const text = pair(
    "Which convention should constructors follow?",
    "Default only (Recommended)",
    "it is derived",
  );
  expect(answeredIn(text)).toMatchObject({
    question: "Which convention should constructors follow?",
    answer: { ruled: "Default only", says: "Default only. it is derived" },
  });
});

test("a reason weighs more than none, and a step of the work least", () => {
  const weights = [
    pair("How should a late ferry be shown?", "Strike it through", "because blinking text fails the audit"),
    pair("How should a late ferry be shown?", "Strike it through", "as on the boards"),
    pair("How should a late ferry be shown?", "Strike it through"),
    pair("A late ferry can be shown in two ways. Which?", "Strike it through"),
    pair("Should I use a separate worktree for the ferry?", "This directory"),
  ].map((text) => answeredIn(text)?.weight ?? 0);
  expect(weights).toEqual(weights.toSorted((a, b) => b - a));
  expect(new Set(weights).size).toBe(5);
});

test.each([
  ["an answer of no word", pair("Which port should the service use?", "8080")],
  ["an answer that is too long to show", pair("How should the port be chosen?", "as it comes ".repeat(20))],
  ["a secret", pair("Which key should the service use?", "always [redacted:token], as it asks for it")],
  ["what asks nothing", pair("The port", "the first free one")],
  ["what a user says", "the same order paid twice must be one invoice, always"],
])("%s is no question with its answer", (_, text) => expect(answeredIn(text)).toBeNull());
