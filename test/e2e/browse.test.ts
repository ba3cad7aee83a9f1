import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { Sandbox } from "../support/sandbox.ts";
import { putSample } from "./sample.ts";

let sandbox: Sandbox;
let database: string;
const mementor = (...args: string[]) => sandbox.run([...args, "--db", database]);

beforeAll(async () => {
  sandbox = await Sandbox.create();
  database = join(sandbox.root, "memory.db");
  await putSample(database);
});

afterAll(() => sandbox[Symbol.asyncDispose]());

test.each<[string[], string]>([
  [["sessions"], "Moving bookmark storage from JSON to SQLite"],
  [["sessions", "--branch", "feat/store", "--until", "2026-03"], "1b7c0a52"],
  [["show", "--turns", "1b7c0a52"], "agreed. now the schema"],
  [["show", "1b7c0a52"], "[User] agreed. now the schema"],
  [["files"], "src/net/checker.ts"],
  [["files", "checker.ts"], "Edit, Read, mention"],
  [["commits", "3f9d2c1"], "feat(store): keep bookmarks in SQLite"],
  [["commits", "--prs"], "tidemark-cli/tidemark"],
  [["commits", "--prs", "--pr", "7"], "polite link checker"],
  [["recent", "-n", "3"], "38da7c2e"],
  [["report", "--text"], "Turns by week"],
])("%p shows what the sample holds", async (args, expected) => {
  const { exitCode, stdout, stderr } = await mementor(...args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toContain(expected);
});

test.each(["show", "show --related", "show --resume", "show --turns"])(
  "%p takes no number for the start of a session",
  async (line) => {
    const { exitCode, stdout, stderr } = await mementor(...line.split(" "), "0");
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(/There is no (turn 0\.|session "0"[.,])/);
  },
);

test("a list that nothing fits is empty, and no error", async () => {
  const { exitCode, stdout } = await mementor("sessions", "--since", "now", "--json");
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{"sessions":[],"total":0}\n' });
});

test("without a memory it says what to do", async () => {
  const { exitCode, stdout, stderr } = await sandbox.run(["sessions"]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toContain("mementor enable");
});
