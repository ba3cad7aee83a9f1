import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, makeRepository, type Talk, writeSession } from "../support/projects.ts";
import { Sandbox } from "../support/sandbox.ts";
import { makeProject } from "./project.ts";

/** What the project that is attacked remembers. */
const SECRET: Talk = [
  ["Which queue do we use for mails?", "Postgres with SKIP LOCKED, no broker."],
  ["How often is a mail retried?", "Five times, then it goes to the dead letters."],
];

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.create({ model: "quick" });
});
afterEach(() => sandbox[Symbol.asyncDispose]());

/** A directory as an archive unpacks it, with its own `.git` that lacks nothing but commits. */
function archive(name = "archive"): string {
  const directory = join(sandbox.root, name);
  for (const part of ["objects", "refs/heads"]) mkdirSync(join(directory, ".git", part), { recursive: true });
  writeFileSync(join(directory, ".git", "HEAD"), "ref: refs/heads/main\n");
  return directory;
}

async function histories(cwd: string): Promise<object[]> {
  const options = ["--json", "--dry-run", "--adopt-history", "--yes"];
  const { stdout } = await sandbox.run(["enable", ...options], { cwd });
  return JSON.parse(stdout).histories;
}

async function prompts(cwd: string): Promise<string[]> {
  const { stdout } = await sandbox.run(["recent", "--json", "-n", "100"], { cwd });
  return JSON.parse(stdout || '{"turns":[]}').turns.map((turn: { first_words: string }) => turn.first_words);
}

describe("sessions of a directory that is gone", () => {
  test.each(["/.git", "HOME/.git"])("an archive that names %s as its worktree gets none", async (claim) => {
    const gone = join(sandbox.root, "secret-project");
    writeSession(sandbox, gone, SECRET);
    const hostile = archive();
    const entry = join(hostile, ".git/worktrees/x");
    mkdirSync(entry, { recursive: true });
    writeFileSync(join(entry, "gitdir"), `${claim.replace("HOME", sandbox.root)}\n`);
    await sandbox.run(["enable"], { cwd: hostile });
    await sandbox.run(["ingest", "--text-only"], { cwd: hostile });
    expect(await prompts(hostile)).toEqual([]);
  });

  test("one that it names itself is listed, and taken over only by its name", async () => {
    const gone = join(sandbox.root, "secret-project");
    writeSession(sandbox, gone, SECRET);
    const hostile = archive();
    const entry = join(hostile, ".git/worktrees/x");
    mkdirSync(entry, { recursive: true });
    writeFileSync(join(entry, "gitdir"), `${gone}/.git\n`);
    expect(await histories(hostile)).toMatchObject([{ root: gone, kinship: "worktree", taken: false }]);
    const { stdout } = await sandbox.run(["enable", "--dry-run"], { cwd: hostile });
    expect(stdout).toContain(`mementor enable --adopt-from ${gone} takes over that one`);
    expect(stdout).toContain("a worktree that is gone, if this repository's .git is right");
  });

  test("of a worktree that was seen while it was there still counts", async () => {
    const app = await makeRepository(sandbox, "app");
    const linked = join(sandbox.root, "linked");
    await git(app, "worktree", "add", "-q", linked);
    await sandbox.run(["enable", "--no-history"], { cwd: app });
    await git(app, "worktree", "remove", "--force", linked);
    writeSession(sandbox, join(linked, "src"), SECRET);
    await sandbox.run(["ingest", "--text-only"], { cwd: app });
    expect((await prompts(app)).sort()).toEqual(SECRET.map(([prompt]) => prompt).sort());
  });
});

test.each([
  ["is enabled there", "enable"],
  ["is there when the project's worker looks", "work"],
])("an archive in a deleted worktree's place gives nothing to the project, once it %s", async (_, seen) => {
  const app = await makeRepository(sandbox, "app");
  const linked = join(sandbox.root, "linked");
  await git(app, "worktree", "add", "-q", linked);
  await sandbox.run(["enable", "--no-history"], { cwd: app });
  await git(app, "worktree", "remove", "--force", linked);
  archive("linked");
  writeSession(sandbox, linked, SECRET);
  if (seen === "enable") await sandbox.run(["enable", "--no-history"], { cwd: linked });
  else await sandbox.run(["work"], { cwd: app });
  rmSync(linked, { recursive: true });
  await sandbox.run(["ingest", "--text-only"], { cwd: app });
  expect(await prompts(app)).toEqual([]);
});

test("an archive whose .git is a link to a worktree's .git file is not that project", async () => {
  const app = await makeProject(sandbox, "app", SECRET);
  const linked = join(sandbox.root, "linked");
  await git(app, "worktree", "add", "-q", linked);
  const hostile = join(sandbox.root, "archive");
  mkdirSync(hostile);
  symlinkSync("../linked/.git", join(hostile, ".git"));
  const status = await sandbox.run(["status", "--json"], { cwd: hostile });
  expect(JSON.parse(status.stdout)).toMatchObject({ project: { root: hostile }, trust: "off" });
  expect(await prompts(hostile)).toEqual([]);
  expect(await prompts(linked)).toHaveLength(2);
});

/** Ways in which the files of an archive, which knows no commit of a repository, claim that repository's commits. */
const CLAIMS: [string, (app: string, hostile: string) => Promise<void> | void][] = [
  [
    "no commits, and the same remote",
    async (app, hostile) => {
      await git(app, "remote", "add", "origin", "https://github.com/ada/app");
      await sandbox.run(["enable", "--no-history"], { cwd: app });
      await git(hostile, "remote", "add", "origin", "https://github.com/ada/app");
    },
  ],
  ["commondir", (app, hostile) => writeFileSync(join(hostile, ".git/commondir"), `${app}/.git\n`)],
  [
    "a .git file",
    (app, hostile) => {
      rmSync(join(hostile, ".git"), { recursive: true });
      writeFileSync(join(hostile, ".git"), `gitdir: ${app}/.git\n`);
    },
  ],
  ["a link as .git", (app, hostile) => replaced(join(hostile, ".git"), join(app, ".git"))],
  ["links as refs and objects", (app, hostile) => linksFor(["refs", "objects"], app, hostile)],
  [
    "a link as a branch, and borrowed objects",
    (app, hostile) => {
      linksFor(["refs/heads"], app, hostile);
      mkdirSync(join(hostile, ".git/objects/info"));
      writeFileSync(join(hostile, ".git/objects/info/alternates"), `${app}/.git/objects\n`);
    },
  ],
  [
    "a link two branches deep, and borrowed objects",
    (_app, hostile) => {
      const name = (path: string, text: string) => writeFileSync(join(hostile, ".git", path), text);
      mkdirSync(join(hostile, ".git/objects/info"));
      name("objects/info/alternates", "../../../app/.git/objects\n");
      name("HEAD", "ref: refs/heads/a\n");
      name("refs/heads/a", "ref: refs/heads/b\n");
      symlinkSync("../../../../app/.git/refs/heads/main", join(hostile, ".git/refs/heads/b"));
    },
  ],
];

function replaced(path: string, target: string): void {
  rmSync(path, { recursive: true });
  symlinkSync(target, path);
}

function linksFor(names: string[], app: string, hostile: string): void {
  for (const name of names) replaced(join(hostile, ".git", name), join(app, ".git", name));
}

test.each(CLAIMS)("%s: an archive does not count as the same repository", async (_, claim) => {
  const app = await makeProject(sandbox, "app", SECRET);
  const hostile = archive();
  await claim(app, hostile);
  const found = await histories(hostile);
  expect(found.filter((history) => "kinship" in history && history.kinship === "same")).toEqual([]);
  await sandbox.run(["enable", "--adopt-history", "--yes"], { cwd: hostile });
  expect(await prompts(hostile)).toEqual([]);
});
