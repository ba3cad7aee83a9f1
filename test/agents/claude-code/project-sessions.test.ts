import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claudeCode } from "../../../src/agents/claude-code/agent.ts";
import { folderName } from "../../../src/agents/claude-code/project-sessions.ts";
import { findProject } from "../../../src/io/git/project.ts";
import { sessionsOf } from "../sources.ts";

let dir = "";
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "mementor-tr-")));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const claude = () => ({
  env: { CLAUDE_CONFIG_DIR: join(dir, "claude") },
  homeDir: "/nowhere",
  platform: "linux" as const,
});

function git(cwd: string, ...args: string[]): void {
  const run = Bun.spawnSync(["git", "-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd });
  if (!run.success) throw new Error(run.stderr.toString());
}

function transcript(folder: string, name: string, cwd: string | null): string {
  const file = join(dir, "claude/projects", folder, `${name}.jsonl`);
  mkdirSync(join(file, ".."), { recursive: true });
  const entry = cwd === null ? "" : `${JSON.stringify({ type: "user", cwd })}\n`;
  writeFileSync(file, `{"type":"summary","text":"\\"cwd\\":\\"/x\\""}\nnot json\n${entry}`);
  return file;
}

test("finds the transcripts of all worktrees by their cwd", async () => {
  const app = join(dir, "app");
  mkdirSync(join(app, "src"), { recursive: true });
  mkdirSync(join(dir, "app-other"));
  git(app, "init", "-q");
  git(app, "commit", "-q", "--allow-empty", "-m", "one");
  git(app, "worktree", "add", "-q", "-b", "x", join(dir, "linked"));
  const own = folderName(app);
  const expected = [
    transcript(own, "a", app),
    transcript(folderName(join(app, "src")), "c", join(app, "src")),
    transcript(folderName(join(app, "gone")), "d", join(app, "gone")),
    transcript(folderName(join(dir, "linked")), "e", join(dir, "linked")),
  ];
  mkdirSync(join(dir, "claude/projects", own, "a", "subagents"), { recursive: true });
  transcript(own, "silent", null);
  transcript(own, "ambiguous", join(dir, "elsewhere"));
  transcript(folderName(join(dir, "app-other")), "other", join(dir, "app-other"));
  transcript(`${own}-unknown`, "unknown", null);
  for (const cwd of [app, join(dir, "linked")])
    expect(sessionsOf(claudeCode, findProject(cwd), claude()).sort()).toEqual([...expected].sort());
});

test("follows the cut of long names", async () => {
  const long = join(dir, "x".repeat(120), "y".repeat(120));
  mkdirSync(long, { recursive: true });
  const file = transcript(`${folderName(long)}-1a2b3c`, "a", long);
  transcript(`${folderName(long)}-9z9z9z`, "b", `${long}z`);
  expect([folderName(long).length, sessionsOf(claudeCode, findProject(long), claude())]).toEqual([
    200,
    [file],
  ]);
});

test("finds nothing where Claude Code never ran", async () => {
  expect(sessionsOf(claudeCode, findProject(dir), claude())).toEqual([]);
});

test("asks the entries of a session whose first line holds a picture, not the name of its folder", () => {
  const [app, other] = [join(dir, "my.app"), join(dir, "my-app")];
  for (const path of [app, other]) mkdirSync(path);
  const file = join(dir, "claude/projects", folderName(app), "a.jsonl");
  mkdirSync(join(file, ".."), { recursive: true });
  const lines = [
    { type: "attachment", picture: "x".repeat(700_000) },
    { type: "user", cwd: app },
  ];
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  expect(sessionsOf(claudeCode, findProject(app), claude())).toEqual([file]);
  expect(sessionsOf(claudeCode, findProject(other), claude())).toEqual([]);
});

test("finds linked transcripts, and those of a linked folder", () => {
  const app = join(dir, "app");
  mkdirSync(app);
  const projects = join(dir, "claude/projects");
  const kept = join(dir, "kept.jsonl");
  writeFileSync(kept, `${JSON.stringify({ type: "user", cwd: app })}\n`);
  mkdirSync(projects, { recursive: true });
  mkdirSync(join(dir, "elsewhere"));
  writeFileSync(
    join(dir, "elsewhere", "b.jsonl"),
    `${JSON.stringify({ type: "user", cwd: join(app, "src") })}\n`,
  );
  mkdirSync(join(projects, folderName(app)));
  symlinkSync(kept, join(projects, folderName(app), "a.jsonl"));
  symlinkSync(join(dir, "gone.jsonl"), join(projects, folderName(app), "gone.jsonl"));
  symlinkSync(join(dir, "elsewhere"), join(projects, folderName(join(app, "src"))));
  expect(sessionsOf(claudeCode, findProject(app), claude())).toEqual([
    join(projects, folderName(app), "a.jsonl"),
    join(projects, folderName(join(app, "src")), "b.jsonl"),
  ]);
});

test("finds what was said under an earlier name of the project, and in a folder that was renamed along", () => {
  const [app, before] = [join(dir, "app"), join(dir, "before")];
  mkdirSync(app);
  symlinkSync(app, before);
  const linked = transcript(folderName(before), "linked", before);
  const renamed = join(dir, "claude/projects", folderName(app), "renamed.jsonl");
  mkdirSync(join(renamed, ".."), { recursive: true });
  const cwds = [join(dir, "old"), join(dir, "old"), app, join(app, "src")];
  writeFileSync(renamed, cwds.map((cwd) => `${JSON.stringify({ type: "user", cwd })}\n`).join(""));
  const forked = transcript(folderName(join(dir, "other")), "forked", app);
  transcript(folderName(join(dir, "elsewhere")), "elsewhere", join(dir, "elsewhere"));
  expect(sessionsOf(claudeCode, findProject(app), claude()).sort()).toEqual([forked, linked, renamed].sort());
});

test("finds a session among those of another project, and one that ends in another directory than it began", () => {
  const [app, other] = [join(dir, "app"), join(dir, "other")];
  for (const path of [app, other]) mkdirSync(path);
  const folder = folderName(other);
  const first = transcript(folder, "a", other);
  const moved = transcript(folder, "b", app);
  const wandered = transcript(folder, "c", other);
  appendFileSync(wandered, `${JSON.stringify({ type: "user", cwd: join(app, "src") })}\n`);
  const found = (cwd: string) => sessionsOf(claudeCode, findProject(cwd), claude());
  expect(found(app)).toEqual([moved, wandered]);
  expect(found(other)).toEqual([first, wandered]);
  appendFileSync(first, `${JSON.stringify({ type: "user", cwd: app })}\n`);
  expect(found(app)).toEqual([first, moved, wandered]);
});

test("finds subagents whose session's file is gone, and none whose session is there or that only compacted", () => {
  const app = join(dir, "app");
  mkdirSync(app);
  const folder = folderName(app);
  const kept = transcript(folder, "kept", app);
  transcript(folder, "kept/subagents/agent-a1", app);
  const orphan = transcript(folder, "gone/subagents/agent-b1", app);
  const deeper = transcript(folder, "gone/subagents/workflows/w1/agent-c1", app);
  transcript(folder, "gone/subagents/agent-acompact-d1", app);
  transcript(folder, "gone/subagents/journal", app);
  transcript(folder, "other/subagents/agent-e1", join(dir, "elsewhere"));
  expect(sessionsOf(claudeCode, findProject(app), claude())).toEqual([kept, orphan, deeper]);
});

test("finds what versions of 2025 wrote below the user's configuration, unless a variable names the place", async () => {
  const app = join(dir, "app");
  mkdirSync(app);
  const homes = [".claude", ".config/claude"].map((name) => join(dir, "home", name, "projects", "app"));
  const files = homes.map((folder, index) => join(folder, `${index}.jsonl`));
  for (const file of files) {
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ type: "user", cwd: app })}\n`);
  }
  const home = { env: {}, homeDir: join(dir, "home"), platform: "linux" as const };
  expect(sessionsOf(claudeCode, findProject(app), home)).toEqual(files);
  expect(claudeCode.roots(home)).toEqual(homes.map((folder) => join(folder, "..")));
  expect(sessionsOf(claudeCode, findProject(app), { ...home, env: { CLAUDE_CONFIG_DIR: dir } })).toEqual([]);
});
