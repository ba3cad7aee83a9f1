import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Cure } from "../../src/domain.ts";
import { HookProject } from "./hook-project.ts";

const ERROR = "error: no region was configured";
const CURE: Cure = {
  errors: [{ text: ERROR, form: ERROR }],
  kinds: ["fly deploy"],
  failed: "fly deploy --app shop",
  call: "fly deploy --app shop --region fra",
  isBefore: false,
  calls: 3,
  change: null,
  said: null,
};
const TOLD = [
  "<mementor-memory>",
  "The same call failed in the same way before (2026-02-03, turn 1). Got past it: `fly deploy --app shop --region fra`. A past fact, not an instruction.",
  "</mementor-memory>",
].join("\n");

let project: HookProject;
beforeEach(async () => {
  project = new HookProject();
  project.enable();
  await project.seed([
    {
      sessionId: "old",
      text: "[User] Deploy the shop\n\n[Assistant] Deployed.",
      createdAt: "2026-02-03T10:00:00Z",
      cures: [CURE],
    },
  ]);
});
afterEach(() => project[Symbol.dispose]());

const input = (more: object = {}) => ({
  session_id: "now",
  cwd: project.root,
  hook_event_name: "PostToolUseFailure",
  tool_name: "Bash",
  tool_use_id: "toolu_2",
  tool_input: { command: "fly deploy --app shop" },
  error: `Exit code 1\n${ERROR}`,
  duration_ms: 900,
  ...more,
});
const told = (more: object = {}, env: Record<string, string> = {}) =>
  project.told("post-tool-use-failure", input(more), { env });

/** A transcript in which calls failed, each with its output. */
const failedBefore = (...failures: [id: string, output: string][]) =>
  project.file(
    "t.jsonl",
    failures
      .map(([tool_use_id, content]) => ({
        ...{ type: "user", uuid: tool_use_id, sessionId: "now" },
        message: { role: "user", content: [{ type: "tool_result", tool_use_id, content, is_error: true }] },
      }))
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join(""),
  );

test("tells what got past the same failure, once in a session", async () => {
  expect(await told()).toBe(TOLD);
  expect(await told()).toBeNull();
  expect(await told({ session_id: "next" })).toBe(TOLD);
});

test.each<[string, object]>([
  ["another error", { error: "Exit code 1\nerror: the disk is full" }],
  ["an output that says nothing", { error: "Exit code 1" }],
  ["no output", { error: undefined }],
  ["a call that the user stopped", { is_interrupt: true }],
  ["a tool without cures", { tool_name: "Read", tool_input: { file_path: "a.ts" } }],
  ["no session", { session_id: undefined }],
  ["the session that got past it", { session_id: "old" }],
])("is silent for %s", async (_what, more) => {
  expect(await told(more)).toBeNull();
});

test("is silent where this session met the error before, but not for the call itself", async () => {
  const elsewhere = "error: the network is down";
  const alone = failedBefore(["toolu_1", elsewhere], ["toolu_2", ERROR]);
  expect(await told({ transcript_path: alone })).toBe(TOLD);
  const again = failedBefore(["toolu_1", `Exit code 1\n${ERROR}`], ["toolu_2", ERROR]);
  expect(await told({ session_id: "next", transcript_path: again })).toBeNull();
});

test("is silent for a muted turn, and where it is switched off", async () => {
  expect(await told({}, { MEMENTOR_RECALL_FAILURE: "off" })).toBeNull();
  await project.withStore(({ marks }) => marks.mark(1, "mute").then(() => undefined));
  expect(await told()).toBeNull();
});

test("answers a tool of another name that runs a command", async () => {
  expect(await told({ tool_name: "run_shell_command" })).toBe(TOLD);
});

/** What other agents give a hook after a failure, and what they read of its answer. */
const OTHERS: [name: string, input: object, textIn: (answer: Record<string, unknown>) => unknown][] = [
  [
    "Qwen Code",
    {
      transcript_path:
        "/home/dev/.qwen/projects/-home-dev-app/chats/38297ea8-9d43-4664-9a2b-70229efe163c.jsonl",
      hook_event_name: "PostToolUseFailure",
      tool_name: "run_shell_command",
      tool_input: { command: "fly deploy --app shop", is_background: false },
      error: ERROR,
      is_interrupt: false,
    },
    ({ hookSpecificOutput }) => (hookSpecificOutput as { additionalContext: string }).additionalContext,
  ],
  [
    "Cursor",
    {
      ...{ conversation_id: "now", cursor_version: "3.12.1", workspace_roots: ["ROOT"] },
      hook_event_name: "postToolUseFailure",
      tool_name: "Shell",
      tool_input: { command: "fly deploy --app shop" },
      error_message: ERROR,
      failure_type: "error",
      is_interrupt: false,
    },
    ({ additional_context }) => additional_context,
  ],
  [
    "Copilot CLI",
    {
      ...{ session_id: undefined, sessionId: "now", hook_event_name: undefined },
      toolName: "bash",
      toolArgs: { command: "fly deploy --app shop", description: "Deploy" },
      error: ERROR,
    },
    ({ additionalContext }) => additionalContext,
  ],
];

test.each(OTHERS)("%s is told in its own form", async (_name, fields, textIn) => {
  const given = { session_id: "now", cwd: project.root, ...fields };
  const { stdout } = await project.hook("post-tool-use-failure", given);
  expect(textIn(JSON.parse(stdout))).toBe(TOLD);
});

test.each(OTHERS)(
  "%s is told nothing of a tool whose failures are mistakes in the call",
  async (_name, fields) => {
    const edit = {
      tool_name: "edit",
      toolName: "edit",
      tool_input: { file_path: "a.ts" },
      toolArgs: { path: "a.ts" },
    };
    const given = { session_id: "now", cwd: project.root, ...fields };
    const named = Object.fromEntries(Object.entries(edit).filter(([key]) => key in given));
    const { stdout } = await project.hook("post-tool-use-failure", { ...given, ...named });
    expect(stdout).toBe("");
  },
);
