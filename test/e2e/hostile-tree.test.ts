import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.create();
  await enabled(sandbox);
});
afterAll(() => sandbox[Symbol.asyncDispose]());

function pipeAt(file: string): void {
  rmSync(file, { force: true });
  if (!Bun.spawnSync(["mkfifo", file]).success) throw new Error(`cannot make ${file}`);
}

function hugeAt(file: string): void {
  rmSync(file, { force: true });
  writeFileSync(file, "");
  truncateSync(file, 4_000_000_000);
}

/** Makes a directory like one of an archive that brings its own `.git`. */
function archive(): string {
  const directory = join(sandbox.root, "archive");
  rmSync(directory, { recursive: true, force: true });
  for (const part of ["objects", "refs"]) mkdirSync(join(directory, ".git", part), { recursive: true });
  writeFileSync(join(directory, ".git", "HEAD"), "ref: refs/heads/main\n");
  return directory;
}

/** Makes the same, with its `.git` directory beside it as in a submodule. */
function separated(): string {
  const directory = join(sandbox.root, "separated");
  mkdirSync(directory);
  writeFileSync(join(directory, ".git"), `gitdir: ${join(archive(), ".git")}\n`);
  return directory;
}

/** Add a line for each file of somebody else's that a hook may come across; returns the hook's directory. */
const TREES: [string, () => string][] = [
  ["a pipe as git's configuration", () => inGit("config", pipeAt)],
  ["a pipe as a worktree's configuration", () => inGit("config.worktree", pipeAt)],
  ["a huge git configuration", () => inGit("config", hugeAt)],
  [
    "a git configuration of blank lines",
    () => inGit("config", (file) => writeFileSync(file, "\n".repeat(900_000))),
  ],
  [
    "a HEAD of 900,000 blanks",
    () => inGit("HEAD", (file) => writeFileSync(file, `ref: refs/heads/${" ".repeat(900_000)}x`)),
  ],
  [
    "an origin of 800,000 slashes",
    () =>
      inGit("config", (file) =>
        writeFileSync(file, `[remote "origin"]\n\turl = git@x:${"/".repeat(800_000)}a\n`),
      ),
  ],
  ["a working directory of a million characters", () => "/a".repeat(500_000)],
  ["a pipe as commondir", () => inGit("commondir", pipeAt, separated())],
  ["a huge .git file", () => inTree(".git", hugeAt, join(sandbox.root, "huge"))],
  ["a pipe as the tree's configuration", () => inTree(".mementor/config.json", pipeAt)],
  ["a huge configuration in the tree", () => inTree(".mementor/config.json", hugeAt)],
];

function inGit(name: string, make: (file: string) => void, directory = archive()): string {
  make(join(sandbox.root, "archive", ".git", name));
  return directory;
}

function inTree(name: string, make: (file: string) => void, directory = sandbox.project): string {
  mkdirSync(directory, { recursive: true });
  make(join(directory, name));
  return directory;
}

test.each(TREES)("%s does not hang a hook, nor fill the memory of the machine", async (_what, make) => {
  const cwd = make();
  const input = { session_id: "a", cwd, prompt: "why did we choose sqlite for the store" };
  const { exitCode, stdout, stderr } = await sandbox.hook("user-prompt-submit", input, {
    cwd: existsSync(cwd) ? cwd : sandbox.project,
    timeoutMs: 15_000,
  });
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: "", stderr: "" });
});

test("status ends where a repository's HEAD is of 900,000 blanks, and its origin of 800,000 slashes", async () => {
  const cwd = archive();
  writeFileSync(join(cwd, ".git/HEAD"), `ref: refs/heads/${" ".repeat(900_000)}x`);
  writeFileSync(join(cwd, ".git/config"), `[remote "origin"]\n\turl = git@x:${"/".repeat(800_000)}a\n`);
  expect((await sandbox.run(["status"], { cwd })).exitCode).toBe(0);
});
