import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { LIMITER } from "../support/limiter.ts";
import { outcomeOf } from "../support/outcome.ts";
import { IMPATIENT, Sandbox } from "../support/sandbox.ts";
import { someWay, until } from "../support/wait.ts";
import { Client, workerDone } from "./client.ts";

/** The deadline of a hook, and the time after which it reads nothing more, in ms since its start. */
const DEADLINE_MS = 1_500;
const OVER_MS = 2_500;

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.create();
  await enabled(sandbox);
  const claude = new Client(sandbox);
  for (const [prompt, answer] of LIMITER.talk) {
    claude.asked(prompt);
    claude.say(answer);
  }
  await claude.stop();
  await workerDone(sandbox);
});
afterEach(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

const file = () => join(sandbox.memory(), "mementor.db");

/** Another process that lets nobody read. */
function locked(): Disposable {
  const db = new Database(file());
  db.run("PRAGMA locking_mode = EXCLUSIVE");
  db.run("BEGIN EXCLUSIVE");
  return { [Symbol.dispose]: () => db.close() };
}

const HOOKS: [event: string, fields: object][] = [
  ["user-prompt-submit", { prompt: LIMITER.question }],
  ["pre-tool-use", { tool_name: "Read", tool_input: { file_path: "src/api/limits.ts" } }],
  ["subagent-start", { agent_id: "a1", agent_type: "Explore" }],
  ["session-start", { source: "compact" }],
  ["session-start", { source: "startup" }],
  ["stop", {}],
  ["subagent-stop", {}],
  ["pre-compact", { trigger: "auto" }],
  ["session-end", { reason: "other" }],
];

test("every hook ends while another process keeps the database for itself", async () => {
  using _lock = locked();
  const ended = HOOKS.map(async ([event, fields]) => {
    const input = { session_id: "s", cwd: sandbox.project, ...fields };
    const { exitCode, stdout, stderr } = await sandbox.hook(event, input, { env: IMPATIENT });
    return [event, exitCode, stdout, stderr];
  });
  expect(await Promise.all(ended)).toEqual(HOOKS.map(([event]) => [event, 0, "", ""]));
});

/** Whether a process has the database open. */
function hasOpen(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === file());
  } catch {
    return false;
  }
}

/** Starts a prompt's hook, which finds the database locked, and holds it there for so long: a disk that stands still. */
async function promptOnStandingDisk(heldMs: number) {
  const lock = locked();
  const held = someWay(heldMs);
  const input = { session_id: "late", cwd: sandbox.project, prompt: LIMITER.question };
  const child = sandbox.start(["hook", "user-prompt-submit"], {
    stdin: JSON.stringify(input),
    env: IMPATIENT,
  });
  await until("the hook opens the database", () => hasOpen(child.pid));
  child.kill("SIGSTOP");
  await until("the hook stands still", () => / T /.test(readFileSync(`/proc/${child.pid}/stat`, "utf8")));
  lock[Symbol.dispose]();
  await held;
  child.kill("SIGCONT");
  return outcomeOf(child);
}

test.skipIf(process.platform !== "linux")(
  "a prompt whose reading took all the time is answered by words",
  async () => {
    const { exitCode, stdout, stderr } = await promptOnStandingDisk(DEADLINE_MS);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("`TokenBucket` for each API key");
  },
);

test.skipIf(process.platform !== "linux")(
  "a prompt whose reading took far too long ends without an answer",
  async () => {
    expect(await promptOnStandingDisk(OVER_MS)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(readFileSync(join(sandbox.memory(), "log", "mementor.jsonl"), "utf8")).toContain(
      '"decision":"late"',
    );
  },
);
