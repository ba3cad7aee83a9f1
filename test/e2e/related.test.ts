import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LIMITER } from "../support/limiter.ts";
import { Sandbox } from "../support/sandbox.ts";
import { makeProject } from "./project.ts";

const SECRET = "The crown jewels are kept under the third floorboard of the boathouse.";

let sandbox: Sandbox;
let api = "";
let web = "";
let secret = "";

beforeAll(async () => {
  sandbox = await Sandbox.create();
  api = await makeProject(sandbox, "api", [LIMITER.decided]);
  web = await makeProject(sandbox, "web", [
    ["Why does the login page flicker?", "The theme was read after the first paint; now it is in a cookie."],
  ]);
  secret = await makeProject(sandbox, "secret", [["Where are the crown jewels kept?", SECRET]]);
});
afterAll(() => sandbox[Symbol.asyncDispose]());
beforeEach(() => {
  for (const file of [memoryConfig(), userConfig(), treeConfig()]) rmSync(file, { force: true });
});

const memoryConfig = () => join(sandbox.memoryOf(web), "config.json");
const userConfig = () => join(sandbox.home, ".config/mementor/config.json");
const treeConfig = () => join(web, ".mementor/config.json");

function configure(file: string, related: string[]): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ recall: { related } }));
}

async function ask(
  prompt: string,
  { sessionId = crypto.randomUUID(), env = {} }: { sessionId?: string; env?: Record<string, string> } = {},
): Promise<string | null> {
  const input = { session_id: sessionId, cwd: web, prompt, hook_event_name: "UserPromptSubmit" };
  const { stdout } = await sandbox.hook("user-prompt-submit", input, { cwd: web, env });
  return stdout === "" ? null : JSON.parse(stdout).hookSpecificOutput.additionalContext;
}

test("a prompt is answered from a related project, which is named", async () => {
  expect(await ask(LIMITER.question)).toBeNull();
  configure(memoryConfig(), ["../api"]);
  const sessionId = crypto.randomUUID();
  const told = await ask(LIMITER.question, { sessionId });
  expect(told).toContain("Notes from earlier sessions of this and related projects");
  expect(told).toMatch(
    /^1\. From project api, (?:\d+ \w+ ago|in \d+ \w+|just now): \d{4}-\d\d-\d\d, session \w+, turn 1, every prompt and answer:\n> the user: How should src/m,
  );
  expect(told).toContain("100 requests a minute");
  expect((told ?? "").length).toBeLessThanOrEqual(1_000);
  // What a session was told once is not told again.
  expect(await ask(LIMITER.question, { sessionId })).toBeNull();
});

test("what is recorded of the answer names the turn, and does not quote the other project", async () => {
  configure(memoryConfig(), ["../api"]);
  await ask(LIMITER.question);
  const { answers } = JSON.parse((await sandbox.run(["told", "--json", "-n", "1"], { cwd: web })).stdout);
  expect(answers[0]).toMatchObject({ decision: "told", turns: [] });
  expect(answers[0].text).toContain("From project api");
  expect(answers[0].text).not.toContain("100 requests a minute");
});

test("an unrelated prompt stays unanswered, whatever is related", async () => {
  configure(memoryConfig(), ["../api", "../secret"]);
  expect(await ask("center a div both ways with flexbox")).toBeNull();
});

test("a user's own file relates projects for all of them; paths start at each project", async () => {
  configure(userConfig(), [api]);
  expect(await ask(LIMITER.question)).toContain("From project api");
});

test("a repository cannot name another project of the user", async () => {
  const prompt = "where are the crown jewels kept, under which floorboard of the boathouse?";
  configure(treeConfig(), ["../secret"]);
  expect(await ask(prompt)).toBeNull();
  expect(await ask(prompt, { env: { MEMENTOR_RECALL_RELATED: secret } })).toBeNull();
  const config = await sandbox.run(["config", "--json"], {
    cwd: web,
    env: { MEMENTOR_RECALL_RELATED: secret },
  });
  const problems = JSON.parse(config.stdout).problems.map((each: { key: string; message: string }) => [
    each.key,
    each.message,
  ]);
  expect(problems).toEqual([
    ["recall.related", "can only be set in your own files"],
    ["recall.related", 'this file can only set "exclude"'],
  ]);
  rmSync(treeConfig());
  configure(memoryConfig(), ["../secret"]);
  expect(await ask(prompt)).toContain("third floorboard");
});

test("related projects that cannot be used are named by status and doctor, and cost no answer", async () => {
  const damaged = await makeProject(sandbox, "damaged", [["What about penguins?", "They live on the ice."]]);
  const off = await makeProject(sandbox, "off", [["What about penguins?", "They live on the ice."]]);
  await sandbox.run(["disable"], { cwd: off });
  writeFileSync(join(sandbox.memoryOf(damaged), "mementor.db"), "no database, only words".repeat(100));
  configure(memoryConfig(), ["../nowhere", "../damaged", "../off", "../api", "."]);
  expect(await ask(LIMITER.question)).toContain("From project api");
  const { related } = JSON.parse((await sandbox.run(["status", "--json"], { cwd: web })).stdout);
  expect(related).toEqual([
    { path: "../nowhere", problem: "there is no such directory", is_missing: true },
    { path: damaged, problem: expect.stringContaining("not a database"), is_missing: false },
    { path: "../off", problem: "it is not enabled", is_missing: false },
    { path: api, problem: null, is_missing: false },
  ]);
  const doctor = JSON.parse((await sandbox.run(["doctor", "--json"], { cwd: web })).stdout);
  const check = doctor.find(({ name }: { name: string }) => name === "related");
  expect(check).toMatchObject({
    state: "warning",
    message: expect.stringContaining("../nowhere"),
    advice:
      'Correct the path that does not exist: "mementor config" shows which file sets "recall.related". Run "mementor doctor" in the project, or take it out of "recall.related".',
  });
});
