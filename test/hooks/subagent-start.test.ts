import { afterEach, beforeEach, expect, test } from "bun:test";
import { HookProject } from "./hook-project.ts";

let project: HookProject;
beforeEach(() => {
  project = new HookProject();
  project.enable();
});
afterEach(() => project[Symbol.dispose]());

const input = (session: string) => ({
  session_id: session,
  cwd: project.root,
  agent_id: "a1",
  agent_type: "general-purpose",
  hook_event_name: "SubagentStart",
});

test("tells what the session settled, then the files that it touched", async () => {
  await project.seed([
    {
      sessionId: "now",
      text: "[User] Make uploads resume\n\n[Assistant] I went with ranges instead of a journal, because proxies keep them.",
      mentions: [
        { filePath: "src/upload.ts", toolName: "Edit" },
        { filePath: "https://example.org", toolName: "WebFetch" },
      ],
    },
  ]);
  expect((await project.told("subagent-start", input("now")))?.split("\n").slice(2, -1)).toEqual([
    "So far in this session (`mementor recall --show <turn>` prints a whole turn):",
    '- Settled, Claude: "I went with ranges instead of a journal, because proxies keep them." (turn 1)',
    "- Files worked on last: src/upload.ts",
  ]);
});

test("says nothing where the session settled nothing, or it is switched off", async () => {
  await project.seed([
    { sessionId: "now", text: "[User] a", mentions: [{ filePath: "a.ts", toolName: "Read" }] },
  ]);
  expect(await project.told("subagent-start", input("now"))).toBeNull();
  await project.seed([
    { sessionId: "now", text: "[User] b\n\n[Assistant] We chose slices instead of streams.", lineIndex: 1 },
  ]);
  expect(await project.told("subagent-start", input("other"))).toBeNull();
  expect(
    await project.told("subagent-start", input("now"), { env: { MEMENTOR_RECALL_SUBAGENT: "off" } }),
  ).toBeNull();
});
