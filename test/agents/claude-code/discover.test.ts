import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { discoverTranscripts } from "../../../src/agents/claude-code/agent.ts";

const root = mkdtempSync(join(tmpdir(), "mementor-discover-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

async function found(path: string): Promise<string[]> {
  return (await Array.fromAsync(discoverTranscripts(path))).map((file) => relative(root, file));
}

const at = (day: string) => `{"type":"user","timestamp":"2026-03-${day}T09:00:00.000Z"}\n`;

beforeAll(() => {
  put("projects/p/b-late.jsonl", at("03"));
  put("projects/p/c-early.jsonl", `${'{"type":"mode"}\n'.repeat(10)}${at("01")}`);
  put("projects/p/a-middle.jsonl", at("02"));
  put("projects/p/no-time.jsonl", "{}\n");
  utimesSync(join(root, "projects/p/no-time.jsonl"), 0, 0);
  put("projects/p/c-early/subagents/agent-2.jsonl", at("05"));
  put("projects/p/c-early/subagents/agent-1.jsonl", at("06"));
  put("projects/p/c-early/subagents/deep/er/agent-3.jsonl", at("01"));
  put("projects/p/c-early/subagents/agent-acompact-9.jsonl", at("01"));
  put("projects/p/c-early/tool-results/x.txt", "x");
  put("projects/p/orphan/subagents/agent-4.jsonl", at("01"));
  put("projects/q/d.jsonl", at("01"));
  put("projects/q/notes.md", "x");
  symlinkSync(join(root, "projects/q/d.jsonl"), join(root, "projects/q/linked.jsonl"));
  symlinkSync(join(root, "projects"), join(root, "projects/q/circle"));
});

test("a session's file comes before those of its subagents, older ones first; files of compactions are left out", async () => {
  expect(await found(root)).toEqual([
    "projects/p/no-time.jsonl",
    "projects/p/c-early.jsonl",
    "projects/p/c-early/subagents/agent-2.jsonl",
    "projects/p/c-early/subagents/agent-1.jsonl",
    "projects/p/c-early/subagents/deep/er/agent-3.jsonl",
    "projects/p/a-middle.jsonl",
    "projects/p/b-late.jsonl",
    "projects/p/orphan/subagents/agent-4.jsonl",
    "projects/q/d.jsonl",
    "projects/q/linked.jsonl",
  ]);
});

test("a file is itself, whatever its name", async () => {
  expect(await found(join(root, "projects/q/notes.md"))).toEqual(["projects/q/notes.md"]);
});

test("what does not exist is an error", async () => {
  expect(found(join(root, "none"))).rejects.toMatchObject({ code: "not_found" });
});
