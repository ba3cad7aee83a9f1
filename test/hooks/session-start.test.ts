import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, linkSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeHookCalls } from "../../src/project/hook-calls.ts";
import { HookProject } from "./hook-project.ts";

let project: HookProject;
beforeEach(() => {
  project = new HookProject();
  project.enable();
});
afterEach(() => project[Symbol.dispose]());

const start = (source: string, session = "now") => ({
  session_id: session,
  cwd: project.root,
  hook_event_name: "SessionStart",
  source,
});
/** A shell that does not find the program by its name. */
const BARE = { PATH: "/nowhere" };
const sessions = (count: number, each: number) =>
  Array.from({ length: count * each }, (_, at) => ({
    sessionId: `s${Math.floor(at / each) + 1}`,
    text: `[User] ${at}\n\n[Assistant] done`,
    createdAt: `2026-02-0${Math.floor(at / each) + 1}T10:00:00Z`,
    lineIndex: at,
  }));
const invitation = (call: string) =>
  [
    "<mementor-memory>",
    `This project has a memory of 5 sessions since 2026-02-01. Before choosing a rule, limit, order, format or default that a new request leaves open, run \`${call} recall 'question, with names in the code'\`. Not for chores, whole plans or what this session began. Ask once, at most twice; "nothing" is an answer: decide and say so. Check the code; latest wins.`,
    "</mementor-memory>",
  ].join("\n");

test.each(["startup", "resume", "clear", "compact", "fork"])(
  "on %s, says that there is a memory, when to ask it and how",
  async (source) => {
    await project.seed(sessions(5, 2));
    const told = await project.told("session-start", start(source));
    expect(told).toBe(invitation("mementor"));
    expect(told?.length).toBeLessThanOrEqual(400);
    expect(existsSync(join(project.memoryDir, "queue/search.todo"))).toBe(source !== "compact");
  },
);

test("where nothing can be written, it says the same", async () => {
  await project.seed(sessions(5, 2));
  // A file stands where the queue would be, as for root no directory is closed.
  rmSync(join(project.memoryDir, "queue"), { recursive: true, force: true });
  writeFileSync(join(project.memoryDir, "queue"), "");
  expect(await project.told("session-start", start("startup"))).toBe(invitation("mementor"));
});

test("is recorded with its text", async () => {
  await project.seed(sessions(5, 2));
  await project.told("session-start", start("startup"));
  const answers = project.withStore(async ({ journal }) => {
    await takeHookCalls({ directory: project.memoryDir, dataDir: project.dirs.dataDir }, (call) =>
      journal.recordHookCall(call),
    );
    const found = await journal.answers({ limit: 5 });
    return found.map(({ sessionId, event, decision, answer, turns }) => [
      sessionId,
      event,
      decision,
      answer,
      turns,
    ]);
  });
  expect(await answers).toEqual([["now", "session-start", "told", invitation("mementor"), []]]);
});

test("says nothing of less than ten turns of earlier sessions: those of the running one and notes do not count", async () => {
  await project.seed([...sessions(3, 3), ...sessions(1, 9).map((turn) => ({ ...turn, sessionId: "now" }))]);
  expect(await project.told("session-start", start("resume"))).toBeNull();
  expect(await project.told("session-start", start("resume", "another"))).toContain(
    "a memory of 4 sessions since 2026-02-01.",
  );
});

test("says nothing where it is switched off, or a project has no memory yet", async () => {
  expect(await project.told("session-start", start("startup"))).toBeNull();
  await project.seed(sessions(5, 2));
  const env = { MEMENTOR_RECALL_INVITE: "off" };
  expect(await project.told("session-start", start("startup"), { env })).toBeNull();
});

test("tells Claude Code's user why it is silent, but not again after a compaction", async () => {
  rmSync(project.dirs.dataDir, { recursive: true, force: true });
  const env = { XDG_DATA_HOME: join(project.dir, "elsewhere") };
  const said = async (source: string, more = {}) =>
    (await project.hook("session-start", { ...start(source), ...more }, { env })).stdout;
  expect(JSON.parse(await said("startup")).systemMessage).toStartWith("mementor is silent. ");
  expect(await said("compact")).toBe("");
  expect(await said("startup", { turn_id: "1" })).toBe("");
});

test("leaves it to the skill of the plugin, of which Claude Code tells its agent already", async () => {
  await project.seed(sessions(5, 2));
  project.file("home/.claude/skills/mementor/.claude-plugin/plugin.json", '{"name": "mementor"}');
  const environment = project.file("claude-env.sh");
  const env = { ...BARE, CLAUDE_ENV_FILE: environment };
  expect(await project.told("session-start", start("startup"), { env })).toBeNull();
  expect(readFileSync(environment, "utf8")).toContain("/.local/share/mementor/bin");
  const fromCodex = { ...start("startup"), turn_id: "1" };
  expect(await project.told("session-start", fromCodex)).toBe(invitation("mementor"));
});

test("lets Claude Code's Bash find the program by its name, once", async () => {
  await project.seed(sessions(5, 2));
  const environment = project.file("claude-env.sh", "export A=1");
  const env = { ...BARE, CLAUDE_ENV_FILE: environment };
  for (const source of ["startup", "compact"])
    expect(await project.told("session-start", start(source), { env })).toBe(invitation("mementor"));
  expect(readFileSync(environment, "utf8")).toBe(
    'export A=1\nexport PATH="$PATH:$HOME/.local/share/mementor/bin"\n',
  );
});

test("adds to no link, pipe or file that has another name, too", async () => {
  await project.seed(sessions(5, 2));
  const file = project.file("profile.sh", "export A=1\n");
  const at = (name: string) => join(project.dir, name);
  const [link, hard, pipe] = [at("link.sh"), at("hard.sh"), at("pipe.sh")];
  symlinkSync(file, link);
  linkSync(file, hard);
  Bun.spawnSync(["mkfifo", pipe]);
  for (const CLAUDE_ENV_FILE of [link, hard, pipe, project.dir])
    expect(
      await project.told("session-start", start("startup"), { env: { ...BARE, CLAUDE_ENV_FILE } }),
    ).toContain("/bin/mementor recall '");
  expect(readFileSync(file, "utf8")).toBe("export A=1\n");
});

test("leaves that file alone where the program is found, and with other agents", async () => {
  await project.seed(sessions(5, 2));
  const environment = project.file("claude-env.sh");
  await project.told("session-start", start("startup"), { env: { CLAUDE_ENV_FILE: environment } });
  const fromCodex = { ...start("startup"), turn_id: "1" };
  const env = { ...BARE, CLAUDE_ENV_FILE: environment };
  expect(await project.told("session-start", fromCodex, { env })).toContain("/bin/mementor recall '");
  expect(readFileSync(environment, "utf8")).toBe("");
});

test("names the program by its path, within the limit, where a shell does not find it and no file says where it is", async () => {
  await project.seed(sessions(5, 2));
  const path = join(project.home, ".local/share/mementor/bin/mementor");
  const unwritable = join(project.dir, "missing/env.sh");
  for (const env of [BARE, { ...BARE, CLAUDE_ENV_FILE: unwritable }]) {
    const told = (await project.told("session-start", start("startup"), { env })) ?? "";
    expect(told).toContain(`\`${path} recall 'question`);
    expect(told.length).toBeLessThanOrEqual(400);
  }
});

test("confirms a compaction, invited or not", async () => {
  await project.seed([{ sessionId: "now", text: "[User] a\n\n[Assistant] b?" }]);
  const inContext = () =>
    project.withStore(async ({ search }) =>
      (await search.keywordTurns(["b"], 5, { inContext: { sessionId: "now" } })).map(({ turnId }) => turnId),
    );
  await project.hook("pre-compact", { session_id: "now", cwd: project.root, trigger: "auto" });
  expect(await inContext()).toEqual([]);
  const env = { MEMENTOR_RECALL_INVITE: "off" };
  expect(await project.told("session-start", start("compact"), { env })).toBeNull();
  expect(await inContext()).toEqual([1]);
});

test("works with settings of earlier versions", async () => {
  await project.seed(sessions(5, 2));
  writeFileSync(
    project.file("home/.config/mementor/config.json"),
    '{ "recall": { "startup": true, "subagent": false, "compact": true }, "budgets": { "compact": 500 } }',
  );
  expect(await project.told("session-start", start("startup"))).toBe(invitation("mementor"));
});
