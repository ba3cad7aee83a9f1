import { describe, expect, test } from "bun:test";
import { findRuling } from "../../../../src/cli/commands/enable/proof.ts";

const asked = (text: string, isPlan = false) => findRuling(text, isPlan)?.question ?? null;
const answered = (question: string, answer: string, notes?: string) =>
  `Question: ${question}\nAnswer: ${answer}${notes === undefined ? "" : `\nNotes: ${notes}`}`;

describe("what a user rules becomes the question that it answers", () => {
  test.each([
    [
      "We should not wrap long lines in the handbook, as that breaks the printed pages",
      "Should we wrap long lines in the handbook?",
    ],
    [
      "one important thing: the same order paid twice must be one invoice",
      "Should the same order paid twice be one invoice?",
    ],
    [
      "Internal tables are never part of the contract, only the views are.",
      "Are internal tables ever part of the contract?",
    ],
    [
      "In demo mode we must not send any mail because the addresses are real",
      "In demo mode, should we send any mail?",
    ],
    [
      "ok, never log the customer's name, it is personal data and must go",
      "Should we log the customer's name?",
    ],
    [
      "please note in the handbook that we should always run the migrations twice",
      "Should we always run the migrations twice?",
    ],
    [
      "The hash changes with a rebase, that's why we add the ticket's number to the title.",
      "Why do we add the ticket's number to the title?",
    ],
    [
      "Claude Rule should appear by its whole name, not just as a rule",
      "Should Claude Rule appear by its whole name?",
    ],
    [
      "Old drafts can only be opened by their authors because others had edited them",
      "Can old drafts only be opened by their authors?",
    ],
  ])("%s", (said, question) => expect(asked(said)).toBe(question));
});

describe("what the agent asked is the question, and the user's answer with its notes is the ruling", () => {
  test("without what the agent recommends", () => {
    const text = answered(
      "Which convention should constructors follow?",
      "Default only (Recommended)",
      "it is derived",
    );
    expect(findRuling(text)).toMatchObject({
      question: "Which convention should constructors follow?",
      ruled: "Default only",
      says: "Default only. it is derived",
    });
  });
  test("a reason weighs more than none, and a step of the work least", () => {
    const weights = [
      answered("How should a late ferry be shown?", "Strike it through", "blinking text fails the audit"),
      answered("How should a late ferry be shown?", "Strike it through"),
      answered("Should I use a separate worktree for the ferry?", "This directory"),
    ].map((text) => findRuling(text)?.weight ?? 0);
    expect(weights).toEqual(weights.toSorted((a, b) => b - a));
    expect(new Set(weights).size).toBe(3);
  });
  test("also in a plan, where nothing else counts", () => {
    expect(asked(answered("How should a late ferry be shown?", "Strike it through"), true)).not.toBeNull();
    expect(asked("The same order paid twice must be one invoice, always", true)).toBeNull();
  });
});

test.each([
  ["a request", "we should update the layout of the header bar"],
  ["what adds to what is there", "Instead of the name it should now also show the address of the house"],
  ["a question", "should we never wrap long lines in the handbook?"],
  ["a guess", "maybe we should never wrap long lines in the handbook"],
  ["what points to words before it", "this must never be shown to customers, because it is theirs"],
  ["a clause without its matter", "it must be exactly as before, because others rely on it"],
  ["a secret", "the key must always be [redacted:token], because the server asks for it"],
  ["an answer of no word", answered("Which port should the service use?", "8080")],
  ["a question that goes on with the work", answered("Shall I proceed?", "Yes, go on")],
  [
    "what is too long to type",
    answered(`Should ${"the very long name of the thing ".repeat(6)}be kept?`, "Keep it"),
  ],
])("no question is made of %s", (_, text) => expect(asked(text)).toBeNull());
