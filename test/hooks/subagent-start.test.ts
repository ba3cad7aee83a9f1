import { afterEach, beforeEach, expect, test } from "bun:test";
import { HookProject } from "./hook-project.ts";

let project: HookProject;
beforeEach(() => {
  project = new HookProject();
  project.enable();
});
afterEach(() => project[Symbol.dispose]());

const ON = { env: { MEMENTOR_RECALL_SUBAGENT: "on" } };
const input = (session: string) => ({
  session_id: session,
  cwd: project.root,
  agent_id: "a1",
  agent_type: "general-purpose",
  hook_event_name: "SubagentStart",
});

test("tells what the user ruled, then the files that it touched", async () => {
  await project.seed([
    {
      sessionId: "now",
      text: "[User] Make uploads resume. In cloud mode we should not show the journal.\n\n[Assistant] I went with ranges instead of a journal, because proxies keep them.",
      mentions: [
        { filePath: "src/upload.ts", toolName: "Edit" },
        { filePath: "https://example.org", toolName: "WebFetch" },
      ],
    },
  ]);
  expect((await project.told("subagent-start", input("now"), ON))?.split("\n").slice(2, -1)).toEqual([
    "So far in this session (`mementor recall --show <turn>` prints a whole turn):",
    '- Settled, the user: "In cloud mode we should not show the journal." (turn 1)',
    "- Files worked on last: src/upload.ts",
  ]);
});

test("says nothing where the user ruled nothing, or nobody asked for it", async () => {
  await project.seed([
    { sessionId: "now", text: "[User] a", mentions: [{ filePath: "a.ts", toolName: "Read" }] },
  ]);
  expect(await project.told("subagent-start", input("now"), ON)).toBeNull();
  await project.seed([
    {
      sessionId: "now",
      text: "[User] Never read a stream twice.\n\n[Assistant] Slices it is.",
      lineIndex: 1,
    },
  ]);
  expect(await project.told("subagent-start", input("other"), ON)).toBeNull();
  expect(await project.told("subagent-start", input("now"))).toBeNull();
});
