import { expect, test } from "bun:test";
import { composeTurn } from "../../../src/ingest/transcript/compose.ts";
import type { RawTurn, TurnEntry } from "../../../src/ingest/transcript/transcript.ts";

function entry(uuid: string | null, speaker: TurnEntry["speaker"], more: Partial<TurnEntry> = {}): TurnEntry {
  return {
    uuid,
    lineIndex: 0,
    speaker,
    texts: [],
    answers: [],
    reports: [],
    toolSummary: [],
    errors: [],
    mentions: [],
    commits: [],
    ...more,
  };
}

const said = (text: string) => ({ text, isThinking: false });
const thought = (text: string) => ({ text, isThinking: true });

const ci = { filePath: "ci.yml", toolName: "Edit" };

function turn(entries: TurnEntry[], more: Partial<RawTurn> = {}): RawTurn {
  return {
    sessionId: "s",
    agentId: null,
    isSidechain: false,
    lineIndex: 3,
    provisional: false,
    role: "turn",
    origin: "human",
    entries,
    nextPrompt: "That works!",
    createdAt: "2026-03-02T09:00:00.000Z",
    endedAt: null,
    branch: "main",
    cwd: "/home/ada/shop",
    model: "m",
    clientVersion: "2.1.50",
    ...more,
  };
}

const whole = turn([
  entry("p", "user", {
    texts: [said("How do I fix the CI?")],
    mentions: [{ filePath: "ci.yml", toolName: "mention" }],
  }),
  entry("a", "assistant", {
    texts: [thought("thinking"), said(" answer\n")],
    toolSummary: ["Edit(ci.yml)"],
    mentions: [ci, ci],
  }),
  entry("t", "tool", {
    errors: ["exit 1\nboom"],
    commits: [{ hash: "1a2b3c4", message: "fix" }],
  }),
  entry("b", "assistant", {
    texts: [said("more")],
    toolSummary: ["Edit(ci.yml)", 'Bash(cmd="x")'],
    mentions: [ci],
  }),
  entry(null, "tool", { errors: ["exit 1\nboom", "other"] }),
]);

test("the layout, each summary, error and mention once", () => {
  const { entries, nextPrompt, ...about } = whole;
  expect(nextPrompt).toBe("That works!");
  const composed = composeTurn(whole, new Set());
  expect(composed?.parts.map(({ kind, start, end }) => [kind, composed.text.slice(start, end)])).toEqual([
    ["prompt", "How do I fix the CI?"],
    ["thinking", "thinking"],
    ["narration", "answer\n\nmore"],
    ["tools", 'Edit(ci.yml) | Bash(cmd="x")'],
    ["errors", "exit 1\nboom\nother"],
    ["forward", "That works!"],
  ]);
  expect(composed).toEqual({
    ...about,
    parts: expect.any(Array),
    text: [
      "[User] How do I fix the CI?",
      "[Assistant] thinking\n\nanswer\n\nmore",
      '[Tools] Edit(ci.yml) | Bash(cmd="x")',
      "[Errors] exit 1\nboom\nother",
      "[User] That works!",
    ].join("\n\n"),
    toolSummary: ["Edit(ci.yml)", 'Bash(cmd="x")'],
    mentions: [{ filePath: "ci.yml", toolName: "mention" }, ci],
    commits: [{ hash: "1a2b3c4", message: "fix" }],
    promptUuid: "p",
    entryUuids: entries.flatMap(({ uuid }) => uuid ?? []),
  });
});

test("what is said before a call is narration, after the last one an answer", () => {
  const composed = composeTurn(
    turn([
      entry("p", "user", { texts: [said("Why does CI fail?")] }),
      entry("a", "assistant", { texts: [said("Let me look.")], toolSummary: ["Read(ci.yml)"] }),
      entry("b", "assistant", { texts: [thought("A typo."), said("It names no runner.")] }),
      entry("c", "assistant", { texts: [said("I added one.")] }),
    ]),
    new Set(),
  );
  expect(composed?.parts.map(({ kind, start, end }) => [kind, composed.text.slice(start, end)])).toEqual([
    ["prompt", "Why does CI fail?"],
    ["narration", "Let me look."],
    ["thinking", "A typo."],
    ["answer", "It names no runner.\n\nI added one."],
    ["tools", "Read(ci.yml)"],
    ["forward", "That works!"],
  ]);
});

test("entries that are indexed elsewhere are left out, except the prompt", () => {
  const composed = composeTurn(whole, new Set(["p", "a"]));
  expect(composed?.text).toBe(
    '[User] How do I fix the CI?\n\n[Assistant] more\n\n[Tools] Edit(ci.yml) | Bash(cmd="x")\n\n[Errors] exit 1\nboom\nother\n\n[User] That works!',
  );
  expect(composed?.mentions).toEqual([ci]);
  expect(composed?.promptUuid).toBe("p");
  expect(composed?.entryUuids).toEqual(["t", "b"]);
});

test("nothing is left when all of it is indexed elsewhere", () => {
  const copied = turn(whole.entries.filter(({ uuid }) => uuid !== null));
  expect(composeTurn(copied, new Set(["p", "a", "t", "b"]))).toBeNull();
  expect(composeTurn(turn([entry("a", "assistant", { texts: [said("x")] })]), new Set(["a"]))).toBeNull();
  expect(composeTurn(turn([]), new Set())).toBeNull();
});

test("a new prompt alone is a turn; work without a prompt has no first section", () => {
  expect(
    composeTurn(turn([entry("p", "user", { texts: [said("Hi")] })], { nextPrompt: null }), new Set())?.text,
  ).toBe("[User] Hi");
  const work = turn([entry("a", "assistant", { texts: [said("Done")] })], { nextPrompt: null });
  expect(composeTurn(work, new Set())?.text).toBe("[Assistant] Done");
});

test("what tools returned is the prompt where the user answered, and an answer where it is a report", () => {
  const returned = entry("r", "tool", { answers: ["Port 8080"], reports: ["All is well"] });
  const composed = composeTurn(turn([returned], { nextPrompt: null }), new Set());
  expect(composed?.parts.map(({ kind, start, end }) => [kind, composed.text.slice(start, end)])).toEqual([
    ["prompt", "Port 8080"],
    ["answer", "All is well"],
  ]);
});

test("of too many errors the last ones are kept", () => {
  const errors = Array.from({ length: 14 }, (_, i) => `error ${i}`);
  const made = turn([entry("t", "tool", { errors: [...errors, "error 1"] })], { nextPrompt: null });
  const composed = composeTurn(made, new Set());
  expect(composed?.text).toBe(
    "[Errors] error 1\nerror 5\nerror 6\nerror 7\nerror 8\nerror 9\nerror 10\nerror 11\nerror 12\nerror 13",
  );
});

test("errors are bounded", () => {
  const many = Array.from({ length: 30 }, (_, i) => entry(`t${i}`, "tool", { errors: [`error ${i}`] }));
  const text = composeTurn(turn(many, { nextPrompt: null }), new Set())?.text;
  expect(text?.split("\n")).toHaveLength(10);
});

test("a tool's error alone is no turn when its call is indexed elsewhere", () => {
  const copied = turn([
    entry("p", "user", { texts: [said("Go")] }),
    entry("a", "assistant", { texts: [said("Trying.")] }),
    entry("r", "tool", { errors: ["exit 1"] }),
  ]);
  expect(composeTurn(copied, new Set(["p", "a"]))).toBeNull();
  expect(composeTurn(copied, new Set(["p"]))?.text).toContain("exit 1");
});

test("a user's answer is kept, even when the question is indexed elsewhere", () => {
  const copied = turn([
    entry("p", "user", { texts: [said("Go")] }),
    entry("a", "assistant", { texts: [said("Asking.")] }),
    entry("r", "tool", { answers: ["Question: Which?\nAnswer: This"] }),
  ]);
  expect(composeTurn(copied, new Set(["p", "a"]))?.text).toBe(
    "[User] Go\n\nQuestion: Which?\nAnswer: This\n\n[User] That works!",
  );
});
