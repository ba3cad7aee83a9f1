import { afterEach, beforeEach, expect, test } from "bun:test";
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

const told = (source: unknown) =>
  project.told(
    "user-prompt-submit",
    {
      ...{ session_id: "now", cwd: project.root, hook_event_name: "UserPromptSubmit" },
      ...{ prompt: "why does the upload never resume behind the proxy?", source },
    },
    { env: { MEMENTOR_SEARCH_GATE: "off" } },
  );

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
