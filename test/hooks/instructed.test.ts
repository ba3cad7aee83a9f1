import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderName } from "../../src/agents/claude-code/project-sessions.ts";
import { HookProject } from "./hook-project.ts";

const CAUSE = "The proxy drops the range header, so an upload never resumes behind it.";
const HELD = `# Uploads\n\n- The proxy drops the \`Range\` header, so an upload never resumes behind it (see docs).\n`;

let project: HookProject;
beforeEach(async () => {
  project = new HookProject();
  project.enable();
  await project.seed([
    {
      sessionId: "earlier",
      text: `[User] Why does the resume of an upload fail?\n\n[Assistant] ${CAUSE}`,
    },
  ]);
});
afterEach(() => project[Symbol.dispose]());

const told = (facts: object = {}, elapsedMs = () => 0) =>
  project.told(
    "user-prompt-submit",
    {
      ...{ session_id: "now", cwd: project.root, hook_event_name: "UserPromptSubmit" },
      prompt: "why does the upload never resume behind the proxy?",
      ...facts,
    },
    { env: { MEMENTOR_SEARCH_GATE: "off" }, elapsedMs },
  );

/** The decision of the last call that the memory has noted. */
const decision = () => {
  const lines = readFileSync(join(project.memoryDir, "queue/calls.jsonl"), "utf8").trim().split("\n");
  return JSON.parse(lines.at(-1) ?? "{}").decision;
};

test("what no instructions have is told", async () => {
  project.file("app/CLAUDE.md", "# Uploads\n\n- An upload resumes behind the proxy.\n");
  expect(await told()).toContain(CAUSE);
});

test.each(["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md"])(
  "what stands in %s is not told again, and the call says why",
  async (name) => {
    project.file(`app/${name}`, HELD);
    expect([await told(), decision()]).toEqual([null, "instructed"]);
  },
);

test("what the asking agent itself remembers is not told again, but to others", async () => {
  const folder = `home/.claude/projects/${folderName(project.root)}/memory`;
  const codex = { turn_id: "1", session_id: "of-codex", client: "codex" };
  project.file(`${folder}/uploads.md`, HELD);
  expect(await told()).toBeNull();
  expect(await told(codex)).toContain(CAUSE);
  rmSync(join(project.dir, folder), { recursive: true });
  project.file("home/.codex/memories/MEMORY.md", HELD);
  expect(await told({ ...codex, turn_id: "2", session_id: "of-codex-2" })).toBeNull();
  expect(await told()).toContain(CAUSE);
});

test("of MEMORY.md only the lines that Claude Code loads count", async () => {
  const folder = `home/.claude/projects/${folderName(project.root)}/memory`;
  project.file(`${folder}/MEMORY.md`, `${"more\n".repeat(200)}${HELD}`);
  expect(await told()).toContain(CAUSE);
});

test("only what is held is left out, and other turns are told", async () => {
  await project.seed([
    {
      sessionId: "other",
      lineIndex: 7,
      text: "[User] Does an upload resume behind the proxy?\n\n[Assistant] The upload resumes behind the proxy since we send the offset in the query.",
    },
  ]);
  project.file("app/CLAUDE.md", HELD);
  const text = await told();
  expect(text).toContain("since we send the offset in the query");
  expect(text).not.toContain(CAUSE);
});

test("the index has no words, and forgets a file that has changed or is gone", async () => {
  const file = project.file("app/CLAUDE.md", HELD);
  const index = join(project.memoryDir, "instructions.json");
  expect(await told()).toBeNull();
  expect(readFileSync(index, "utf8")).not.toMatch(/proxy|upload/i);
  expect(await told()).toBeNull();
  writeFileSync(index, '{"version":1,"files":[["');
  expect(await told()).toBeNull();
  writeFileSync(file, "# Uploads\n");
  utimesSync(file, 1, 1);
  expect(await told()).toContain(CAUSE);
  rmSync(file);
  expect(await told({ session_id: "later" })).toContain(CAUSE);
  expect(JSON.parse(readFileSync(index, "utf8"))).toEqual({ version: 2, files: [] });
});

test("files that are too large or no files are passed over, and late calls read none", async () => {
  project.file("app/CLAUDE.md", HELD + "x".repeat(128_000));
  symlinkSync("/dev/zero", join(project.root, "AGENTS.md"));
  project.file("app/GEMINI.md/inside", HELD);
  expect(await told()).toContain(CAUSE);
  project.file("app/CLAUDE.local.md", HELD);
  expect(await told({ session_id: "late" }, () => 1_470)).toContain(CAUSE);
  expect(await told({ session_id: "in time" }, () => 1_400)).toBeNull();
});
