import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;
let top = "";

function git(cwd: string, ...args: string[]): void {
  const config = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"];
  const run = Bun.spawnSync(["git", ...config, ...args], { cwd });
  if (!run.success) throw new Error(run.stderr.toString());
}

function repository(...names: string[]): string {
  const path = join(top, ...names);
  mkdirSync(path, { recursive: true });
  git(path, "init", "-q");
  git(path, "commit", "-q", "--allow-empty", "-m", "one");
  return path;
}

beforeAll(async () => {
  sandbox = await Sandbox.create();
  top = join(sandbox.root, 'all "my" projects, it\'s');
  const app = repository("app");
  mkdirSync(join(app, "src", "deep"), { recursive: true });
  git(app, "worktree", "add", "-q", join(top, "linked"), "-b", "linked");
  git(app, "worktree", "add", "-q", join(app, ".worktrees", "inside"), "-b", "inside");
  repository("app", "vendor", "nested");
  const library = repository("library");
  const outer = repository("outer");
  git(outer, "submodule", "add", "-q", library, "sub");
  mkdirSync(join(top, "bare"));
  git(join(top, "bare"), "clone", "-q", "--bare", app, ".bare");
  git(join(top, "bare", ".bare"), "worktree", "add", "-q", join(top, "bare", "main"), "linked");
  git(join(top, "bare", ".bare"), "worktree", "add", "-q", join(top, "bare", "side"), "inside");
  symlinkSync(app, join(top, "shortcut"));
  mkdirSync(join(top, "plain", "below"), { recursive: true });
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
});

async function statusOf(cwd: string) {
  const { stdout, stderr } = await sandbox.run(["status", "--json"], { cwd });
  expect(stderr).toBe("");
  const { project, trust, database } = JSON.parse(stdout);
  return { root: project.root, trust, file: database?.file ?? null };
}

test.each<[string, string, string, string[]]>([
  ["the primary worktree", "app", "app", ["app/src/deep"]],
  ["a linked worktree", "linked", "app", ["app"]],
  ["a linked worktree inside the primary", "app/.worktrees/inside", "app", ["app", "linked"]],
  ["a submodule, a project of its own", "outer/sub", "outer/sub", []],
  ["the repository around a submodule", "outer", "outer", []],
  ["a bare repository's worktree", "bare/main", "bare", ["bare/side"]],
  ["a nested repository", "app/vendor/nested", "app/vendor/nested", []],
  ["a symbolic link", "shortcut/src", "app", ["app"]],
  ["a directory outside git", "plain", "plain", []],
])("%s: enabled in %s, the memory is in %s", async (_name, from, root, others) => {
  const home = join(top, root);
  const { exitCode, stderr } = await sandbox.run(["enable", "--no-history"], { cwd: join(top, from) });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const found = { root: home, trust: "trusted", file: join(sandbox.memoryOf(home), "mementor.db") };
  for (const cwd of [from, root, ...others])
    expect([cwd, await statusOf(join(top, cwd))]).toEqual([cwd, found]);
  const settings = join(".claude", "settings.local.json");
  const places = [from.startsWith("shortcut") ? "app" : from, root].map((place) =>
    join(top, place, settings),
  );
  expect(places.filter((place) => existsSync(place)).length).toBeGreaterThan(0);
  const disabled = await sandbox.run(["disable", "--purge", "--yes"], { cwd: join(top, from) });
  expect(disabled.exitCode).toBe(0);
  expect(existsSync(join(home, ".mementor"))).toBe(false);
  expect(places.filter((place) => existsSync(place))).toEqual([]);
});

test("a directory below one outside git is a project of its own", async () => {
  await sandbox.run(["enable", "--no-history"], { cwd: join(top, "plain") });
  expect(await statusOf(join(top, "plain", "below"))).toEqual({
    root: join(top, "plain", "below"),
    trust: "off",
    file: null,
  });
});
