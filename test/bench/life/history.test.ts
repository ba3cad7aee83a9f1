import { expect, test } from "bun:test";
import { readRows, type Session } from "./history.ts";
import { momentsOf } from "./moments.ts";

const at = (minute: number) => `2026-03-01T10:${String(minute).padStart(2, "0")}:00.000Z`;
const user = (minute: number, content: unknown, more: object = {}) =>
  JSON.stringify({ type: "user", timestamp: at(minute), cwd: "/dev/tide", message: { content }, ...more });
const read = (minute: number, path: string) =>
  JSON.stringify({
    type: "assistant",
    timestamp: at(minute),
    message: { content: [{ type: "tool_use", id: "t1", name: "Read", input: { file_path: path } }] },
  });
const session = (id: string, lines: string[]): Session => ({
  id,
  folder: "-dev-tide",
  rows: readRows(lines.join("\n")),
});

test("rows are the lines that are not empty, each with the time that it was written at", () => {
  const lines = [
    '{"type":"summary"}',
    "",
    user(1, "why is the tide late?"),
    "no JSON",
    read(2, "/dev/tide/a.ts"),
  ];
  const row = { cwd: null, prompt: null, files: [] };
  expect(readRows(lines.join("\n"))).toEqual([
    { ...row, time: at(1), text: '{"type":"summary"}' },
    { ...row, time: at(1), text: lines[2] ?? "", cwd: "/dev/tide", prompt: "why is the tide late?" },
    { ...row, time: at(1), text: "no JSON" },
    {
      ...row,
      time: at(2),
      text: lines[4] ?? "",
      files: [{ tool: "Read", id: "t1", input: { file_path: "/dev/tide/a.ts" } }],
    },
  ]);
});

test.each<[unknown, string | null, object?]>([
  ["fix the tide table", "fix the tide table"],
  [[{ type: "text", text: "look" }, { type: "image" }, { type: "text", text: "here" }], "look\nhere"],
  [[{ type: "tool_result", content: "done" }], null],
  ["<command-name>/clear</command-name>", null],
  ["<html> is not closed", "<html> is not closed"],
  ["[Request interrupted by user]", null],
  ["This session is being continued from a previous conversation that ran out", null],
  ["notes", null, { isMeta: true }],
  ["task of a subagent", null, { isSidechain: true }],
])("%j is the prompt %j", (content, prompt, more = {}) => {
  expect(readRows(user(1, content, more))[0]?.prompt ?? null).toBe(prompt);
});

test("moments are in the order of time, with the place of their prompt in its session", () => {
  const long = session("long", [
    user(0, "one"),
    read(1, "/dev/tide/a.ts"),
    user(2, "two"),
    user(4, "three"),
    user(6, "four"),
  ]);
  const other = session("other", [user(3, "five"), read(5, "/dev/tide/b.ts")]);
  const history = { corpus: "tide", sessions: [long, other] };
  const brief = (choice: Parameters<typeof momentsOf>[1]) =>
    momentsOf(history, choice).map(({ session, line, place, kind }) => [session.id, line, place, kind]);
  expect(brief({ files: true })).toEqual([
    ["long", 0, "first", "prompt"],
    ["long", 1, "first", "file"],
    ["long", 2, "second or third", "prompt"],
    ["other", 0, "first", "prompt"],
    ["long", 3, "second or third", "prompt"],
    ["other", 1, "first", "file"],
    ["long", 4, "later", "prompt"],
  ]);
  expect(brief({ files: true, isWanted: ({ prompt }) => prompt === "five" })).toEqual([
    ["other", 0, "first", "prompt"],
    ["other", 1, "first", "file"],
  ]);
  const sample = { size: 3, seed: 7 };
  expect(brief({ sample })).toHaveLength(3);
  expect(brief({ sample })).toEqual(brief({ sample }));
});
