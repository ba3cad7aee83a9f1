import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SCRATCH } from "../support/scratch.ts";
import { TestMemory } from "./memory.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(SCRATCH, "mementor-unknown-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const PROMPT = JSON.stringify({
  ...{ type: "user", uuid: "u1", sessionId: "s1", cwd: "/work" },
  message: { role: "user", content: "Which gate?" },
});

test.each([
  ["of words", "notes.jsonl", "Remember the gate.\nIt opens inwards.\n"],
  [
    "of another program",
    "events.jsonl",
    '{"level":"info","text":"started"}\n{"level":"info","text":"done"}\n',
  ],
  ["of numbers", "numbers.jsonl", "1\n2\n[3]\n"],
])("a file %s is said to hold no record of an agent, each time", async (_, name, text) => {
  await using memory = await TestMemory.create();
  const path = file(name, text);
  for (let time = 0; time < 2; time++) {
    const { failures, files } = await memory.ingest([path], { textOnly: true });
    expect(failures).toEqual([{ path, message: `${path} holds no record of a coding agent` }]);
    expect(files).toMatchObject({ read: 0, failed: 1 });
  }
});

test.each([
  ["a prompt", `not a record\n${PROMPT}\n`],
  ["records alone that hold no text", '{"type":"file-history-snapshot","messageId":"m"}\n'],
  ["nothing yet", ""],
  ["a line that is being written", PROMPT.slice(0, 20)],
])("a file with %s is a transcript", async (_, text) => {
  await using memory = await TestMemory.create();
  expect((await memory.ingest([file("a.jsonl", text)], { textOnly: true })).failures).toEqual([]);
});
