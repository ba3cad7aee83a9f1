import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { MementorError } from "../../src/errors.ts";
import { type HookHandler, silent } from "../../src/hooks/hook.ts";
import type { HookHandlers } from "../../src/hooks/run.ts";
import { HOOK_EVENTS } from "../../src/setup/settings/hook-events.ts";
import { fcOptions } from "../support/fast-check.ts";
import { hurriedTimers } from "../support/wait.ts";
import { HookProject } from "./hook-project.ts";

let project: HookProject;
beforeEach(() => {
  project = new HookProject();
});
afterEach(() => project[Symbol.dispose]());

const SILENT = { stdout: "", stderr: "" };
const all = (handler: HookHandler): HookHandlers => ({
  "user-prompt-submit": async () => handler,
  "user-prompt-expansion": async () => handler,
  "pre-tool-use": async () => handler,
  "subagent-start": async () => handler,
  "session-start": async () => handler,
  stop: async () => handler,
  "subagent-stop": async () => handler,
  "pre-compact": async () => handler,
  "session-end": async () => handler,
});
const input = () => ({ session_id: "s", cwd: project.root });
const logged = () => {
  const file = join(project.memoryDir, "log/mementor.jsonl");
  return existsSync(file)
    ? readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
};

describe("a bug", () => {
  test.each([
    ["is thrown", () => Promise.reject(new Error("boom"))],
    [
      "is thrown before anything is awaited",
      () => {
        throw new Error("boom");
      },
    ],
    ["is no error", () => Promise.reject(undefined)],
  ] as [string, HookHandler][])("is silent and logged when it %s", async (_how, handler) => {
    project.enable();
    expect(await project.hook("stop", input(), { handlers: all(handler) })).toEqual(SILENT);
    expect(logged()).toMatchObject([{ level: "error", event: "hook failed", hook: "stop" }]);
  });

  test("is none where the time was over: the log says that it was late", async () => {
    project.enable();
    const over = new MementorError("timeout", "no time is left to use the database");
    expect(await project.hook("stop", input(), { handlers: all(() => Promise.reject(over)) })).toEqual(
      SILENT,
    );
    expect(logged()).toMatchObject([{ level: "info", event: "hook", hook: "stop", decision: "late" }]);
  });

  test("leaves no trace in a project that is not enabled", async () => {
    mkdirSync(project.memoryDir);
    const handlers = all(() => Promise.reject(new Error("boom")));
    expect(await project.hook("stop", input(), { handlers })).toEqual(SILENT);
    expect(readdirSync(project.memoryDir)).toEqual([]);
  });

  test("is given up when it never ends", async () => {
    const handlers = all(() => new Promise(() => {}));
    using timers = hurriedTimers();
    expect(await project.hook("stop", input(), { handlers, elapsedMs: () => 2_450 })).toEqual(SILENT);
    expect(timers.waits).toEqual([1_000, 50]);
  });
});

test("waits a second for input that does not end, and says nothing", async () => {
  const handlers = all(async () => ({ ...silent("told"), text: "x" }));
  using timers = hurriedTimers();
  expect(await project.hook("stop", "", { handlers, read: () => new Promise(() => {}) })).toEqual(SILENT);
  expect(timers.waits).toEqual([1_000]);
});

test("parses no input of more than 16 MB: a hook that reads megabytes holds its agent up", async () => {
  const limits: number[] = [];
  const read = async (limit: number) => {
    limits.push(limit);
    return null;
  };
  const handlers = all(async () => ({ ...silent("told"), text: "x" }));
  expect(await project.hook("stop", "", { handlers, read })).toEqual(SILENT);
  expect(limits).toEqual([16 * 1024 * 1024]);
});

test("does nothing in what the background worker starts", async () => {
  const handlers = all(async () => ({ ...silent("told"), text: "x" }));
  expect((await project.hook("stop", input(), { handlers })).stdout).toContain('"additionalContext":"x"');
  expect(await project.hook("stop", input(), { handlers, env: { MEMENTOR_WORKER: "1" } })).toEqual(SILENT);
});

describe("notes what was decided", () => {
  const calls = () => readFileSync(join(project.memoryDir, "queue/calls.jsonl"), "utf8");

  test("beside the database, without a lock", async () => {
    project.enable();
    await project.hook("subagent-start", input(), {
      elapsedMs: () => 3.0999,
      env: { MEMENTOR_RECALL_SUBAGENT: "on" },
    });
    expect(JSON.parse(calls())).toEqual({
      sessionId: "s",
      event: "subagent-start",
      decision: "nothing",
      durationMs: 3.1,
      time: "2026-03-01T12:00:00.000Z",
    });
  });

  test("never notes more than a megabyte", async () => {
    project.enable();
    mkdirSync(join(project.memoryDir, "queue"));
    writeFileSync(join(project.memoryDir, "queue/calls.jsonl"), "x".repeat(1_000_000));
    await project.hook("subagent-start", input());
    expect(calls()).toHaveLength(1_000_000);
  });
});

const field = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "",
    " ",
    "/",
    ".",
    "..",
    "~/x.jsonl",
    "/proc/self/mem",
    "/dev/zero",
    "a\0b",
    "s\n",
    "\ud800",
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const KNOWN = [
  "session_id",
  "transcript_path",
  "cwd",
  "hook_event_name",
  "prompt",
  "tool_name",
  "tool_input",
  "agent_id",
  "agent_type",
  "agent_transcript_path",
  "source",
  "reason",
  "trigger",
  "custom_instructions",
  "stop_hook_active",
] as const;

test("survives any input, with any event, on a memory and without one", async () => {
  project.enable();
  await project.seed([
    {
      sessionId: "old",
      text: "[User] Retry failed uploads\n\n[Assistant] An upload in src/upload.ts must retry three times at most, because the retry budget was counted per chunk.",
      mentions: [{ filePath: "src/upload.ts", toolName: "Edit" }],
    },
  ]);
  const near = fc.constantFrom(
    { session_id: "s", cwd: project.root, tool_input: { file_path: "src/upload.ts" } },
    { session_id: "s", cwd: project.root, source: "compact" },
    { session_id: "s", cwd: project.root, prompt: "how often do we retry failed uploads" },
    { session_id: "s", cwd: project.root, transcript_path: join(project.home, "x.jsonl") },
    { cwd: join(project.root, "gone") },
  );
  const wild = fc.dictionary(fc.constantFrom(...KNOWN), field, { maxKeys: KNOWN.length });
  const object = fc.tuple(near, wild).map(([base, over]) => JSON.stringify({ ...base, ...over }));
  const anything = fc.oneof(
    { weight: 6, arbitrary: object },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
    { weight: 1, arbitrary: fc.uint8Array().map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: object.map((json) => json.slice(0, json.length / 2)) },
  );
  const event = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom<string>(...HOOK_EVENTS.map(({ word }) => word)) },
    fc.string(),
  );
  // Keywords alone: the model is tried elsewhere, and would take most of the time.
  const env = { MEMENTOR_EMBEDDING_RUNTIME: "wasm" };
  await fc.assert(
    fc.asyncProperty(event, anything, async (name, stdin) => {
      const { stdout, stderr } = await project.hook(name, stdin, { env });
      if (stdout !== "") {
        const { hookSpecificOutput, ...rest } = JSON.parse(stdout);
        expect(rest).toEqual({});
        expect(Object.keys(hookSpecificOutput)).toEqual(["hookEventName", "additionalContext"]);
        expect(hookSpecificOutput.additionalContext.length).toBeLessThanOrEqual(2_000);
      }
      expect(stderr).toBe("");
    }),
    fcOptions(4),
  );
  // Something was told at all, or the property says nothing.
  expect(
    await project.told("pre-tool-use", {
      session_id: "z",
      cwd: project.root,
      tool_input: { file_path: "src/upload.ts" },
      transcript_path: project.file(
        "z.jsonl",
        `${JSON.stringify({ type: "user", uuid: "u1", sessionId: "z", message: { role: "user", content: "Why do uploads keep a retry budget per chunk?" } })}\n`,
      ),
    }),
  ).not.toBeNull();
  rmSync(project.memoryDir, { recursive: true });
});
