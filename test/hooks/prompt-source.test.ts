import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HookProject } from "./hook-project.ts";

let project: HookProject;
beforeEach(async () => {
  project = new HookProject();
  project.enable();
  await project.seed([
    {
      sessionId: "earlier",
      text: "[User] Why does the resume of an upload fail?\n\n[Assistant] The proxy drops the range header, so an upload never resumes.",
    },
  ]);
});
afterEach(() => project[Symbol.dispose]());

const PROMPT = "why does the upload never resume behind the proxy?";
const told = (source: unknown, transcript_path: string | null = null) =>
  project.told(
    "user-prompt-submit",
    {
      ...{ session_id: "now", cwd: project.root, hook_event_name: "UserPromptSubmit" },
      ...{ prompt: PROMPT, source, transcript_path },
    },
    { env: { MEMENTOR_SEARCH_GATE: "off" } },
  );

/** Writes the end of a session of Claude Code. */
function session(...entries: object[]): string {
  const directory = join(project.home, ".claude/projects/-p");
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${crypto.randomUUID()}.jsonl`);
  writeFileSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  return file;
}
const calls = (name: string, input: object) => ({
  type: "assistant",
  message: { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name, input }] },
});
const said = (content: string, fields: object = {}) => ({
  type: "user",
  message: { role: "user", content },
  ...fields,
});

test.each(["loop_wakeup", "schedule_wakeup", "poll_event", "system"])(
  "a prompt of the source %s is not answered",
  async (source) => {
    expect(await told(source)).toBeNull();
  },
);

test.each(["user", "sdk", undefined, "of a later version", 7])(
  "a prompt of the source %p is",
  async (source) => {
    expect(await told(source)).toContain("The proxy drops the range header");
  },
);

test.each<[string, object, object | null]>([
  [
    "the model set for later",
    calls("ScheduleWakeup", { delaySeconds: 60, reason: "r", prompt: PROMPT }),
    null,
  ],
  ["the model set for certain times", calls("CronCreate", { cron: "7 * * * *", prompt: PROMPT }), null],
  ["came from a timer before", said(PROMPT, { wakeupSource: "schedule_wakeup" }), said("go on")],
])("a prompt without a source that %s is not answered", async (_what, first, second) => {
  const transcript = session(said("look after the upload"), first, ...(second ? [second] : []));
  expect(await told(undefined, transcript)).toBeNull();
  expect(await told("user", transcript)).toContain("The proxy drops the range header");
});

test("a prompt without a source is answered in a session whose timers say something else", async () => {
  const other = { delaySeconds: 60, reason: "r", prompt: "check the upload" };
  const transcript = session(said(PROMPT), calls("ScheduleWakeup", other), said("ok"));
  expect(await told(undefined, transcript)).toContain("The proxy drops the range header");
});
