import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { Sandbox } from "../support/sandbox.ts";
import { workerDone } from "./client.ts";
import { ingestSample } from "./sample.ts";

const FIXTURES = join(import.meta.dir, "..", "..", "fixtures");
const HOOKS = join(FIXTURES, "hooks");

/** In the order of a session: what is told once is not told again. */
const CASES = [
  "session-start.startup",
  "pre-tool-use.read",
  "pre-tool-use.again",
  "pre-tool-use.write",
  "pre-tool-use.new-file",
  "pre-tool-use.bash",
  "user-prompt-submit.trivial",
  "user-prompt-submit.notification",
  "user-prompt-submit.unrelated",
  "user-prompt-submit.recall",
  "subagent-start.files",
  "stop.turn",
  "stop.active",
  "subagent-stop.agent",
  "subagent-stop.compaction",
  "pre-compact.manual",
  "session-start.compact",
  "pre-compact.auto",
  "session-start.resume",
  "session-end.other",
];

/** The conversation in which most hooks are called: the hook before an edit asks it for the running matter. */
const RUNNING = "5f0c9b7e-2d41-4c8a-9e36-7b1a0d3f6c20.jsonl";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await Sandbox.create();
  const projects = join(sandbox.home, ".claude/projects");
  cpSync(join(FIXTURES, "transcripts/sample/projects"), projects, { recursive: true });
  await enabled(sandbox);
  await ingestSample(sandbox);
  const { exitCode } = await sandbox.run(["ingest", projects]);
  expect(exitCode).toBe(0);
  cpSync(join(HOOKS, "running.jsonl"), join(projects, "-home-dev-tidemark", RUNNING));
});
afterAll(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

test("every input has its place in the session", () => {
  const inputs = readdirSync(HOOKS).filter((name) => name.endsWith(".json"));
  expect(inputs.map((name) => name.replace(/\.json$/, "")).sort()).toEqual([...CASES].sort());
});

/** `<event>.<case>.json` goes in, `<event>.<case>.out` comes out to the byte; `UPDATE_GOLDEN=1` writes the latter anew. */
test.each(CASES)("%s", async (name) => {
  const [event = ""] = name.split(".");
  const stdin = readFileSync(join(HOOKS, `${name}.json`), "utf8")
    .replaceAll("{PROJECT}", sandbox.project)
    .replaceAll("{HOME}", sandbox.home);
  const env = { PATH: `${sandbox.home}/.local/share/mementor/bin:/usr/bin:/bin` };
  const { stdout, stderr, exitCode } = await sandbox.run(["hook", event], { stdin, env });
  const golden = join(HOOKS, `${name}.out`);
  if (process.env.UPDATE_GOLDEN) writeFileSync(golden, stdout);
  const expected = existsSync(golden) ? readFileSync(golden, "utf8") : "";
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: expected, stderr: "", exitCode: 0 });
});
