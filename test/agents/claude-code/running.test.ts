import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runningTurn } from "../../../src/agents/claude-code/running.ts";
import { tempDir } from "../../store/builders.ts";

const entry = (type: "user" | "assistant", content: unknown, more: object = {}) =>
  JSON.stringify({ type, uuid: "u", sessionId: "s", message: { role: type, content }, ...more });
const says = (text: string) => entry("assistant", [{ type: "text", text }]);
const result = (content: string) => entry("user", [{ type: "tool_result", tool_use_id: "t", content }]);

function running(lines: readonly string[]) {
  using dir = tempDir();
  const path = join(dir.path, "t.jsonl");
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  return runningTurn(path);
}

test("is the last prompt of a person, with what the agent said before and since", () => {
  const lines = [
    entry("user", "Add uploads"),
    says("Which gateway?"),
    entry("user", "the old one"),
    says("Looking at upload.ts"),
    result("x"),
    entry("user", "<command-name>/clear</command-name>", { isMeta: true }),
    entry("user", "task", { isSidechain: true }),
    entry("assistant", [{ type: "text", text: "API Error: 529" }], { isApiErrorMessage: true }),
    "{ half a line",
  ];
  expect(running(lines)).toEqual({
    prompt: "the old one",
    before: "Which gateway?",
    said: "Looking at upload.ts",
  });
});

test("is found behind megabytes of tool results", () => {
  const lines = [entry("user", "Go"), ...Array.from({ length: 30 }, () => result("x".repeat(20_000)))];
  expect(running(lines)?.prompt).toBe("Go");
});

test("has what was said before it, however much its turn has read since", () => {
  const lines = [
    entry("user", "Add uploads"),
    says("Which gateway?"),
    result("x".repeat(20_000)),
    entry("user", "the old one"),
    result("x".repeat(20_000)),
  ];
  expect(running(lines)).toEqual({ prompt: "the old one", before: "Which gateway?", said: "" });
});

test("is null where nobody asked, and where there is no transcript", () => {
  expect(running([says("Hello")])).toBeNull();
  expect(runningTurn("/nowhere/t.jsonl")).toBeNull();
});
