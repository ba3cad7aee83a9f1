import { expect, test } from "bun:test";
import { composeText, type PartContent } from "../../src/turn/text.ts";
import { openingTitle, turnTitle } from "../../src/turn/title.ts";

const SUMMARY = `This session is being continued from a previous conversation that ran out of context. The summary below covers it.

Analysis:
Let me trace through the conversation chronologically:

1. **Initial Request**: User asked why the kettle leaks when it is tilted.`;

test.each<[string, PartContent[], string | null, string]>([
  [
    "a prompt",
    [{ kind: "prompt", text: "Why does the kettle leak?" }],
    "Kettle",
    "Why does the kettle leak?",
  ],
  [
    "a short prompt",
    [
      { kind: "prompt", text: "yes" },
      { kind: "thinking", text: "The user wants me to seal the valve first. Then the lid." },
    ],
    "Kettle",
    "yes: Seal the valve first. Then the lid.",
  ],
  ["a short prompt without an answer", [{ kind: "prompt", text: "yes" }], "Kettle", "yes: Kettle"],
  [
    "a short prompt that nothing was said to",
    [
      { kind: "prompt", text: "yes" },
      { kind: "forward", text: "And the lid?" },
    ],
    null,
    "yes: And the lid?",
  ],
  [
    "a note by an agent",
    [{ kind: "note", text: "Dates are UTC." }],
    null,
    "[Note by an agent] Dates are UTC.",
  ],
  ["a short prompt alone", [{ kind: "prompt", text: "yes" }], null, "yes"],
  [
    "what goes on after a summary",
    [
      {
        kind: "thinking",
        text: "The user wants me to continue from where we left off. Based on the summary, the last task was replacing the valve.",
      },
    ],
    null,
    "Replacing the valve.",
  ],
  [
    "what goes on, and names nothing",
    [{ kind: "answer", text: "Let me continue from where we left off." }],
    "Kettle",
    "Kettle",
  ],
  [
    "a summary",
    [{ kind: "prompt", text: SUMMARY }],
    null,
    "User asked why the kettle leaks when it is tilted.",
  ],
  ["a summary in a session with a title", [{ kind: "prompt", text: SUMMARY }], "Kettle", "Kettle"],
  [
    "a plan under a heading",
    [{ kind: "prompt", text: "Implement the following plan:\n\n# Seal the valve\n\n## Context\nIt leaks." }],
    null,
    "Seal the valve",
  ],
])("the title of %s", (_, pieces, session, title) => {
  expect(turnTitle(composeText(pieces), session)).toBe(title);
});

test("a summary of a session without a title has the first prompt of its session, unless that is a summary, too", () => {
  const summary = composeText([{ kind: "prompt", text: SUMMARY }]);
  expect(turnTitle(summary, null, "Hi! Seal the lid of the kettle")).toBe("Seal the lid of the kettle");
  expect(turnTitle(summary, null, SUMMARY)).toBe("User asked why the kettle leaks when it is tilted.");
});

test("a turn of tools alone is named by them, without their label", () => {
  const turn = composeText([{ kind: "tools", text: "Edit(src/kettle.ts) | Read(src/lid.ts)" }]);
  expect(turnTitle(turn, null)).toBe("Edit(src/kettle.ts) | Read(src/lid.ts)");
  expect(turnTitle(turn, "The kettle")).toBe("The kettle");
});

test("a session that nothing else names has the task that an agent was given, or its first turn", () => {
  const said = (text: string) => composeText([{ kind: "prompt", text }]);
  const begin = said('You are "lid-agent", a teammate on team "kettle". Read the list of tasks.');
  const task = said(
    '{"type":"task_assignment","taskId":"2","subject":"Seal the lid","description":"With wax."}',
  );
  expect(openingTitle([begin, task])).toBe("Seal the lid");
  expect(openingTitle([begin])).toBe("Read the list of tasks.");
  expect(openingTitle([composeText([{ kind: "answer", text: "The lid is sealed." }])])).toBe(
    "The lid is sealed.",
  );
  expect(openingTitle([])).toBeNull();
});
