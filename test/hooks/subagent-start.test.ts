import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
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
const touched = (files: readonly string[]) => ({
  sessionId: "now",
  text: "[User] Make uploads resume\n\n[Assistant] done",
  mentions: files.map((filePath) => ({ filePath, toolName: "Edit" })),
});
const earlier = Array.from({ length: 12 }, (_, at) => ({
  sessionId: `s${at % 3}`,
  text: `[User] ${at}\n\n[Assistant] done`,
  createdAt: "2026-02-01T10:00:00Z",
  lineIndex: at + 1,
}));
const INVITATION =
  "This project has a memory of 3 sessions since 2026-02-01. Before you decide a rule, limit, order or format, ask it: `mementor recall 'question'`. \"Nothing\" is an answer; of quotes the latest wins.";

test("tells the ten files that its session touched last, and that there is a memory", async () => {
  const files = Array.from({ length: 12 }, (_, at) => `src/${at}.ts`);
  await project.seed([touched([...files, "https://example.org"]), ...earlier]);
  const told = await project.told("subagent-start", input("now"));
  expect(told?.split("\n")).toEqual([
    "<mementor-memory>",
    "Files that this session touched last: src/11.ts, src/10.ts, src/9.ts, src/8.ts, src/7.ts, src/6.ts, src/5.ts, src/4.ts, src/3.ts, src/2.ts",
    INVITATION,
    "</mementor-memory>",
  ]);
  expect(INVITATION.length).toBeLessThanOrEqual(200);
});

test("names as many files as fit into 700 characters", async () => {
  const files = Array.from({ length: 10 }, (_, at) => `src/${"deep/".repeat(20)}${at}.ts`);
  await project.seed([touched(files), ...earlier]);
  const told = (await project.told("subagent-start", input("now"))) ?? "";
  expect(told).toContain(INVITATION);
  expect(told.match(/deep\/\d\.ts/g)).toHaveLength(3);
  expect(told.length).toBeLessThanOrEqual(700);
});

test("tells either alone, and nothing where there is neither or it is switched off", async () => {
  await project.seed([touched(["a.ts"])]);
  expect(await project.told("subagent-start", input("now"))).toBe(
    "<mementor-memory>\nFiles that this session touched last: a.ts\n</mementor-memory>",
  );
  expect(await project.told("subagent-start", input("other"))).toBeNull();
  await project.seed(earlier);
  expect(await project.told("subagent-start", input("other"))).toContain("a memory of 4 sessions");
  const env = { MEMENTOR_RECALL_INVITE: "off" };
  expect(await project.told("subagent-start", input("now"), { env })).toBeNull();
});

test("names the program by its path where a shell does not find it", async () => {
  await project.seed(earlier);
  const told = await project.told("subagent-start", input("now"), { env: { PATH: "/nowhere" } });
  expect(told).toContain(`\`${join(project.home, ".local/share/mementor/bin/mementor")} recall 'question'\``);
});
