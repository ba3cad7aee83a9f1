import { expect, test } from "bun:test";
import { type Answer, renderAnswers, renderMarkHint } from "../../../../src/cli/commands/told/text.ts";
import { styleFor } from "../../../../src/cli/terminal/screen.ts";

const SCREEN = {
  style: styleFor({ isTerminal: false }, { LANG: "en_US.UTF-8" }),
  width: 80,
  now: new Date("2026-03-04T12:00:00Z"),
};
const SILENT: Answer = {
  ...{ id: 8, sessionId: null, event: "user-prompt-submit", decision: "far", durationMs: 20.4 },
  ...{
    time: "2026-03-04T11:59:50Z",
    prompt: "center a div",
    subject: null,
    answer: null,
    turns: [],
    gate: null,
  },
  titles: new Map(),
};
const FILE: Answer = {
  ...SILENT,
  ...{ id: 7, event: "pre-tool-use", decision: "told", prompt: null, subject: "src/limit.ts", answer: "…" },
  turns: [{ turnId: 3, passage: null, marks: ["bad", "mute"] }],
};

test("answers show what they were about and the marks of their turns", () => {
  expect(renderAnswers([SILENT, FILE], SCREEN)).toBe(
    [
      "#8  just now  prompt  silent: nothing near  20 ms",
      "    “center a div”",
      "#7  just now  file  told 1 turn, 1 character  20 ms",
      "    src/limit.ts",
      "    3 [bad] [muted]",
      "",
    ].join("\n"),
  );
});

test("a probability that just missed the threshold does not seem to reach it", () => {
  const gate = { probability: 0.6199, threshold: 0.62 };
  expect(renderAnswers([{ ...SILENT, decision: "gate", gate }], SCREEN)).toContain(
    "silent: nothing worth telling (0.61 of 0.62)",
  );
});

test("on a terminal, a list says how to mark its newest answer that told something", () => {
  expect(renderMarkHint([SILENT, FILE], SCREEN)).toBe(
    "\nWas it to the point? mementor mark good 7, or mementor mark bad 7\n",
  );
  const subagent = { ...FILE, id: 8, event: "subagent-start", subject: null };
  expect(renderMarkHint([subagent], SCREEN)).toBe("");
  expect(renderMarkHint([SILENT, FILE], { ...SCREEN, width: null })).toBe("");
  expect(renderMarkHint([SILENT], SCREEN)).toBe("");
});
