import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeRepository, writeSession } from "../support/projects.ts";
import { Sandbox } from "../support/sandbox.ts";
import { untilEmbedded } from "./client.ts";

const GONE = "105e5510-0000-4000-8000-000000000001";
const QUESTION = "Which queue do we use for mails?";
const ANSWER = "Postgres with SKIP LOCKED, no broker.";

let sandbox: Sandbox;
let project: string;
beforeEach(async () => {
  sandbox = await Sandbox.create();
  project = await makeRepository(sandbox, "mail");
});
afterEach(() => sandbox[Symbol.asyncDispose]());

/** Writes the list of prompts of Claude Code. */
function list(...prompts: readonly (readonly [sessionId: string, text: string])[]): void {
  const lines = prompts.map(([sessionId, display], n) => ({
    ...{ display, pastedContents: {}, timestamp: Date.parse("2026-02-01T10:00:00Z") + n * 60_000 },
    ...{ project, sessionId },
  }));
  mkdirSync(join(sandbox.home, ".claude"), { recursive: true });
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(sandbox.home, ".claude/history.jsonl"), text);
}

async function enable(...options: string[]): Promise<void> {
  const { exitCode, stderr } = await sandbox.run(["enable", "--json", ...options], { cwd: project });
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  await untilEmbedded(sandbox, project);
}

async function recent(): Promise<{ first_words: string; prompt_only?: boolean; session_id: string }[]> {
  const { stdout, exitCode } = await sandbox.run(["recent", "--json", "-n", "100"], { cwd: project });
  return exitCode === 1 ? [] : JSON.parse(stdout).turns;
}

test("a prompt of a lost session is found by search, shown as such, and told by no hook", async () => {
  list([GONE, "Let the mail queue drain before the deployment"]);
  await enable();
  expect(await recent()).toMatchObject([{ session_id: GONE, prompt_only: true }]);
  for (const words of [["search", "drain the mail queue"], ["recent"], ["sessions"], ["show", GONE]])
    expect((await sandbox.run(words, { cwd: project })).stdout).toContain("only the prompt");
  const event = { hook_event_name: "UserPromptSubmit", session_id: "other", cwd: project };
  const asked = { ...event, prompt: "Do we let the mail queue drain before the deployment?" };
  const told = await sandbox.run(["hook", "user-prompt-submit"], {
    cwd: project,
    stdin: JSON.stringify(asked),
  });
  expect(told.stdout).not.toContain("drain");
});

test("nothing returns of a session that was forgotten, after its transcript is gone", async () => {
  const transcript = writeSession(sandbox, project, [[QUESTION, ANSWER]]);
  await enable("--history");
  const [turn] = await recent();
  const sessionId = turn?.session_id ?? "";
  list([sessionId, QUESTION], [GONE, "Let the mail queue drain before the deployment"]);
  const forgotten = await sandbox.run(["forget", sessionId, "--yes"], { cwd: project });
  expect(forgotten.exitCode).toBe(0);
  rmSync(transcript);
  await enable("--history");
  expect((await recent()).map(({ session_id }) => session_id)).toEqual([GONE]);
});

test("nothing is read from the list with --no-history", async () => {
  list([GONE, "Let the mail queue drain before the deployment"]);
  await enable("--no-history");
  expect(await recent()).toEqual([]);
});
