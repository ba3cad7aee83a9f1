import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await Sandbox.create();
});

afterAll(() => sandbox[Symbol.asyncDispose]());

/** With a step of quadratic time this takes a quarter of an hour: the time-out is only the net. */
test.each([
  ["a million letters", "a", 1_000_000],
  ["a million characters of a script without spaces", "漢", 1_000_000],
])("stores a prompt with one word of %s", async (_name, letter, length) => {
  const transcript = join(sandbox.project, "long.jsonl");
  const prompt = {
    type: "user",
    uuid: `00000000-0000-4000-8000-0000000000${letter === "a" ? "01" : "02"}`,
    sessionId: "5e550000-0000-4000-8000-000000000001",
    cwd: sandbox.project,
    timestamp: "2026-03-04T10:00:00Z",
    message: { role: "user", content: `What does ${letter.repeat(length)} mean?` },
  };
  await Bun.write(transcript, `${JSON.stringify(prompt)}\n`);
  const database = join(sandbox.root, `${letter === "a" ? "latin" : "han"}.db`);
  const { exitCode, stdout } = await sandbox.run(
    ["ingest", "long.jsonl", "--text-only", "--json", "--db", database],
    { timeoutMs: 240_000 },
  );
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ turns: { inserted: 1 } });
  const found = await sandbox.run([
    "search",
    "what does it mean",
    "--mode",
    "keyword",
    "--json",
    "--db",
    database,
  ]);
  expect(JSON.parse(found.stdout).results).toHaveLength(1);
});
