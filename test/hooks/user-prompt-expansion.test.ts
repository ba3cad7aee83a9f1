import { afterEach, beforeEach, expect, test } from "bun:test";
import { HookProject } from "./hook-project.ts";

const RULE =
  "A failed upload is tried three times per chunk, because the gateway bans clients that retry more.";
const QUESTION = "how many times does a failed upload retry per chunk?";

let project: HookProject;
beforeEach(async () => {
  project = new HookProject();
  project.enable();
  await project.seed([
    {
      sessionId: "old",
      text: `[User] How often does a failed upload retry per chunk?\n\n[Assistant] ${RULE}`,
      createdAt: "2026-02-03T10:00:00Z",
    },
  ]);
});
afterEach(() => project[Symbol.dispose]());

/** What is told does not depend on the fitted weights. */
const ENV = { MEMENTOR_EMBEDDING_RUNTIME: "wasm", MEMENTOR_SEARCH_GATE: "off" };

function told(event: string, fields: object): Promise<string | null> {
  const common = { session_id: "now", cwd: project.root, transcript_path: null };
  return project.told(event, { ...common, ...fields }, { env: ENV });
}

const expansion = (name: string, args: unknown) => ({
  hook_event_name: "UserPromptExpansion",
  expansion_type: "slash_command",
  command_name: name,
  command_args: args,
  command_source: "projectSettings",
  prompt: `/${name} ${args}`,
});

test("a typed command is answered by what stands after its name, and that once", async () => {
  const submitted = { hook_event_name: "UserPromptSubmit", prompt: `/fix ${QUESTION}` };
  expect(await told("user-prompt-submit", submitted)).toBeNull();
  const { stdout } = await project.hook(
    "user-prompt-expansion",
    { session_id: "now", cwd: project.root, ...expansion("fix", QUESTION) },
    { env: ENV },
  );
  expect(JSON.parse(stdout).hookSpecificOutput).toEqual({
    hookEventName: "UserPromptExpansion",
    additionalContext: expect.stringContaining(RULE),
  });
  expect(await told("user-prompt-expansion", expansion("fix", QUESTION))).toBeNull();
});

test("a prompt of an MCP server is answered in the same way", async () => {
  const fields = { ...expansion("mcp__issues__fix", QUESTION), expansion_type: "mcp_prompt" };
  expect(await told("user-prompt-expansion", fields)).toContain(RULE);
});

test("where the other hook answers the whole line, this one is silent", async () => {
  const run = expansion("run", QUESTION);
  expect(await told("user-prompt-submit", { prompt: run.prompt })).toContain(RULE);
  expect(await told("user-prompt-expansion", { ...run, session_id: "next" })).toBeNull();
});

test.each<[string, unknown]>([
  ["nothing", ""],
  ["a number alone", "#12"],
  ["no words", undefined],
])("%s after the name gets nothing", async (_what, args) => {
  expect(await told("user-prompt-expansion", expansion("fix", args))).toBeNull();
});
