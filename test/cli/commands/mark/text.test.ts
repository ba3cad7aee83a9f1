import { expect, test } from "bun:test";
import { renderFiles } from "../../../../src/cli/commands/files.ts";
import {
  markJson,
  renderAnswerMarked,
  renderMarks,
  renderTurnMarked,
} from "../../../../src/cli/commands/mark/text.ts";
import type { Answer } from "../../../../src/cli/commands/told/text.ts";
import { type Screen, styleFor } from "../../../../src/cli/terminal/screen.ts";
import { composeText } from "../../../../src/turn/text.ts";
import { aTurn } from "../../../recall/made.ts";

const SCREEN: Screen = {
  style: styleFor({ isTerminal: false }, { LANG: "en_US.UTF-8" }),
  width: null,
  now: new Date("2026-03-04T12:00:00Z"),
};
const TIME = "2026-03-01T10:00:00.000Z";
const TURN = aTurn({ turnId: 3, sessionTitle: "Kettles", foreign: "team", author: "ada" });

test("a mark, and what is said of one, name whose turn it is where it was not made here", () => {
  const mark = { turnId: 3, kind: "pin", time: TIME } as const;
  const turns = new Map([[3, TURN]]);
  expect(renderMarks([mark], turns, SCREEN)).toContain("[by ada] Kettles");
  expect(markJson(mark, turns)).toMatchObject({ title: "Kettles", foreign: "team", author: "ada" });
  expect(renderTurnMarked(TURN, { kind: "pin", undo: false, changed: true })).toContain("([by ada] Kettles)");
});

test("a mark of an answer on another device has its question, and no number", () => {
  const mark = {
    answerId: null,
    turnId: 3,
    kind: "bad",
    time: TIME,
    prompt: "which tea",
    subject: null,
  } as const;
  const turns = new Map([[3, aTurn({ turnId: 3, sessionTitle: "Kettles", device: "laptop" })]]);
  const listed = renderMarks([mark], turns, SCREEN);
  expect(listed).toContain("[on laptop] Kettles");
  expect(listed).toContain("“which tea”");
  expect(listed).not.toContain("#");
  expect(markJson(mark, turns)).toMatchObject({ answer: null, prompt: "which tea", device: "laptop" });
});

test("a file that only others touched names them", () => {
  const file = { path: "src/a.ts", touches: 2, changes: 1, lastTime: TIME };
  const others = { foreign: "kettle", author: null };
  const elsewhere = { ...file, path: "src/c.ts", device: "desk and laptop" };
  const listed = renderFiles(
    { files: [file, { ...file, path: "src/b.ts", others }, elsewhere], total: 3 },
    SCREEN,
  );
  expect(listed.split("\n").map((line) => line.split("  ")[0])).toEqual([
    "FILE",
    "src/a.ts",
    "[imported from kettle] src/b.ts",
    "[on desk and laptop] src/c.ts",
    "",
  ]);
});

test("a long title ends in an ellipsis in a pipe, too, and in dots where only ASCII can be shown", () => {
  const words = "Why does the valve of the kettle leak again after a week of hard water ".repeat(4);
  const turn = aTurn({ turnId: 3, sessionTitle: null, ...composeText([{ kind: "prompt", text: words }]) });
  const mark = { turnId: 3, kind: "pin", time: TIME } as const;
  const cut =
    "Why does the valve of the kettle leak again after a week of hard water Why does the valve of the";
  expect(renderMarks([mark], new Map([[3, turn]]), SCREEN)).toEndWith(`  ${cut}…\n`);
  const answer: Answer = {
    ...{ id: 1, time: TIME, sessionId: "s", event: "user-prompt-submit", prompt: "which tea", subject: null },
    ...{ decision: "told", answer: "Kettles.", durationMs: 3, gate: null, titles: new Map([[3, turn]]) },
    turns: [{ turnId: 3, passage: null, marks: [] }],
  };
  const done = { kind: "good", undo: false, turnIds: [3], count: 1, replaced: [] } as const;
  expect(renderAnswerMarked(answer, done, SCREEN)).toContain(`\n  3  ${cut}…\n`.replace(" of the…", " of…"));
  const ascii = { ...SCREEN, style: styleFor({ isTerminal: true }, { LANG: "C", NO_COLOR: "1" }) };
  expect(renderAnswerMarked(answer, done, ascii)).toContain(" of...\n");
  expect(renderTurnMarked(turn, { kind: "pin", undo: false, changed: true })).toContain(`(${cut}…)`);
});
