import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isTracked } from "../../../src/io/git/project.ts";
import { runGit } from "../../../src/io/git/run.ts";

const SRC = join(import.meta.dir, "../../../src");

let base = "";
let repository = "";
let mark = "";
afterEach(() => rmSync(base, { recursive: true, force: true }));
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "mementor-git-")));
  repository = join(base, "archive");
  mark = join(base, "ran");
  for (const directory of [".claude", "b"]) {
    mkdirSync(join(repository, directory), { recursive: true });
    writeFileSync(join(repository, directory, "f"), directory);
  }
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one");
});

function git(...words: string[]): string {
  const env = { PATH: process.env.PATH, HOME: base, GIT_CONFIG_NOSYSTEM: "1" };
  return Bun.spawnSync(["git", ...words], { cwd: repository, env, stderr: "ignore" }).stdout.toString();
}

function configure(text: string): void {
  appendFileSync(join(repository, ".git/config"), text);
}

/** Makes git fetch a missing tree as soon as it reads the index. */
function missTree(): void {
  git("sparse-checkout", "init", "--cone", "--sparse-index");
  git("sparse-checkout", "set", "b");
  const tree = git("rev-parse", "HEAD:.claude").trim();
  rmSync(join(repository, ".git/objects", tree.slice(0, 2), tree.slice(2)));
  configure('[remote "origin"]\n url = .\n promisor = true\n partialclonefilter = blob:none\n');
  configure(` uploadpack = "touch '${mark}'; false"\n[extensions]\n partialClone = origin\n`);
  git("config", "core.repositoryformatversion", "1");
  mkdirSync(join(repository, ".claude"), { recursive: true });
  writeFileSync(join(repository, ".claude/settings.json"), "{}");
}

const ENV = { PATH: process.env.PATH, HOME: "/nonexistent" };

test("a repository's remote names no program that runs when a tree is missing", async () => {
  missTree();
  expect(await isTracked(join(repository, ".claude/settings.json"), ENV)).toBe(false);
  expect(existsSync(mark)).toBe(false);
  // Plain git runs it, so the archive is a dangerous one.
  git("-C", ".claude", "ls-files", "--error-unmatch", "settings.json");
  expect(existsSync(mark)).toBe(true);
});

test("a repository's watcher of files does not run", async () => {
  configure(`[core]\n fsmonitor = "touch '${mark}'; false"\n`);
  expect(await isTracked(join(repository, "b/f"), ENV)).toBe(true);
  expect(existsSync(mark)).toBe(false);
  git("ls-files");
  expect(existsSync(mark)).toBe(true);
});

test("git that fails, a missing directory and a missing git give nothing", async () => {
  expect(await runGit(repository, ["rev-parse", "--verify", "nothing"], ENV)).toBeNull();
  expect(await runGit(join(repository, "none"), ["--version"], ENV)).toBeNull();
  expect(await runGit(repository, ["--version"], { PATH: "" })).toBeNull();
  expect(await runGit(repository, ["--version"], ENV)).toStartWith("git version");
});

test("nothing else starts git, but what builds mementor", async () => {
  const starts: string[] = [];
  for await (const path of new Bun.Glob("**/*.{ts,js,cjs}").scan(SRC))
    if (
      /which\(\s*"git"|\[\s*"git"|exec\w*\(\s*["'`]git\b|\$`git\b/.test(
        await Bun.file(join(SRC, path)).text(),
      )
    )
      starts.push(path.replaceAll("\\", "/"));
  expect(starts.filter((path) => !path.startsWith("build/"))).toEqual(["io/git/run.ts"]);
});
