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

test("gives the last ten files of the session, one per line, and no web addresses", async () => {
  await project.seed(
    Array.from({ length: 12 }, (_, i) => ({
      sessionId: "now",
      text: `[User] ${i}`,
      mentions: [
        { filePath: `src/f${i}.ts`, toolName: "Edit" },
        { filePath: "https://example.org", toolName: "WebFetch" },
      ],
      lineIndex: i,
    })),
  );
  const told = (await project.told("subagent-start", input("now"))) ?? "";
  const files = told.split("\n").filter((line) => line.startsWith("- "));
  expect(files).toEqual(Array.from({ length: 10 }, (_, i) => `- src/f${11 - i}.ts`));
});

test("says nothing where the session touched nothing, or it is switched off", async () => {
  await project.seed([
    { sessionId: "now", text: "[User] a", mentions: [{ filePath: "a.ts", toolName: "Read" }] },
  ]);
  expect(await project.told("subagent-start", input("other"))).toBeNull();
  expect(
    await project.told("subagent-start", input("now"), { env: { MEMENTOR_RECALL_SUBAGENT: "off" } }),
  ).toBeNull();
});
