import { afterEach, beforeEach, expect, test } from "bun:test";
import { takeHookCalls } from "../../src/project/hook-calls.ts";
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

test("notes the turns that its text names, and counts none of them as told to the session", async () => {
  await project.seed([
    { sessionId: "now", text: "[User] Never read a stream twice.\n\n[Assistant] Slices it is." },
    { sessionId: "now", text: "[User] Run it\n\n[Assistant] It fails.\n\n[Errors] EPERM", lineIndex: 1 },
  ]);
  await project.told("subagent-start", input("now"), ON);
  expect(project.notedTurns()).toEqual([[{ turnId: 1, passage: null }]]);
  const told = project.withStore(async ({ journal }) => {
    await takeHookCalls(project.memoryDir, (call) => journal.recordHookCall(call));
    const [answer] = await journal.answers({ limit: 1 });
    return { turns: answer?.turns, toSession: await journal.turnsToldIn("now") };
  });
  expect(await told).toEqual({ turns: [{ turnId: 1, passage: null, marks: [] }], toSession: new Set() });
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
