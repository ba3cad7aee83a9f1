import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProject } from "../../src/git/project.ts";
import { disableProject } from "../../src/project/disable.ts";
import { enableProject } from "../../src/project/enable.ts";
import type { HookScope } from "../../src/project/hook-entries.ts";
import {
  claimMemory,
  isRegistryBroken,
  isTrusted,
  memoryOrigin,
  registerMemory,
  registryFileOf,
  trustOf,
} from "../../src/project/registry.ts";

let dir = "";
let app = "";
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "mementor enable ")));
  app = join(dir, "app");
  repository(app);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const now = new Date("2026-01-02T03:04:05Z");
const configDir = () => join(dir, "home/.config/mementor");
const context = (self = "/opt/my tools/mementor") => ({
  claudeDir: join(dir, "home/.claude"),
  configDir: configDir(),
  self: [self],
  platform: "linux" as const,
  now,
});
const enable = (cwd: string, scope: HookScope, options: { self?: string; adopt?: boolean } = {}) =>
  enableProject({
    ...context(options.self),
    project: findProject(cwd),
    scope,
    adopt: options.adopt ?? false,
  });
const disable = (cwd: string, options: { scope?: HookScope; purge?: boolean } = {}) =>
  disableProject({
    ...context(),
    project: findProject(cwd),
    scope: options.scope ?? null,
    purge: options.purge ?? false,
  });
const modeOf = (path: string) => statSync(path).mode & 0o777;

function git(cwd: string, ...args: string[]): void {
  const run = Bun.spawnSync(["git", "-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd });
  if (!run.success) throw new Error(run.stderr.toString());
}

function repository(path: string): void {
  mkdirSync(path, { recursive: true });
  git(path, "init", "-q");
  git(path, "commit", "-q", "--allow-empty", "-m", "one");
}

describe("enableProject", () => {
  test("makes a private memory, registers it and writes the hooks; doing it again changes nothing", () => {
    const settings = join(app, ".claude/settings.json");
    const memoryDirectory = join(app, ".mementor");
    const result = { root: app, memoryDirectory, scope: "project" as const, movedFrom: [], alsoIn: [] };
    expect(enable(app, "project")).toEqual({
      ...result,
      memory: "created",
      settings: [{ file: settings, change: "created" }],
    });
    expect([modeOf(memoryDirectory), readFileSync(join(memoryDirectory, ".gitignore"), "utf8")]).toEqual([
      0o700,
      "*\n",
    ]);
    expect([modeOf(configDir()), modeOf(registryFileOf(configDir()))]).toEqual([0o700, 0o600]);
    expect(isTrusted(configDir(), app)).toBe(true);
    const registered = readFileSync(registryFileOf(configDir()), "utf8");
    expect(enable(app, "project")).toEqual({
      ...result,
      memory: "kept",
      settings: [{ file: settings, change: "unchanged" }],
    });
    expect(readFileSync(registryFileOf(configDir()), "utf8")).toBe(registered);
  });

  test("repairs the path after the binary moved", () => {
    enable(app, "local", { self: "/old \\place/it's/mementor" });
    const { settings } = enable(app, "local");
    expect(settings.map(({ change }) => change)).toEqual(["changed"]);
    const text = readFileSync(join(app, ".claude/settings.local.json"), "utf8");
    expect([text.includes("/old"), text.split("'/opt/my tools/mementor' hook").length - 1]).toEqual([
      false,
      8,
    ]);
  });

  test("moves the hooks to another scope, but leaves those that a team shares", () => {
    enable(app, "local");
    const [shared, own] = [join(app, ".claude/settings.json"), join(app, ".claude/settings.local.json")];
    expect(enable(app, "project")).toMatchObject({ movedFrom: [own], alsoIn: [] });
    expect([existsSync(own), existsSync(shared)]).toEqual([false, true]);
    git(app, "add", "-f", ".claude/settings.json");
    expect(enable(app, "local")).toMatchObject({ movedFrom: [], alsoIn: [shared] });
  });

  test("writes to the primary worktree and the linked one it was called in", () => {
    git(app, "worktree", "add", "-q", "-b", "x", join(dir, "linked"));
    const { root, settings } = enable(join(dir, "linked"), "local");
    const files = [app, join(dir, "linked")].map((top) => join(top, ".claude/settings.local.json"));
    expect([root, settings.map(({ file }) => file)]).toEqual([app, files]);
    disable(app);
    expect(files.filter((file) => existsSync(file))).toEqual([]);
  });

  test("leaves no trace where the settings cannot be edited or the directory is gone", () => {
    mkdirSync(join(app, ".claude"));
    writeFileSync(join(app, ".claude/settings.json"), "{");
    expect(() => enable(app, "project")).toThrow("line 1, column 2");
    expect(() => enable(join(dir, "gone"), "project")).toThrow("There is no directory");
    expect([existsSync(join(app, ".mementor")), existsSync(configDir())]).toEqual([false, false]);
  });

  test("enables all projects: each gets its memory when it is first used", () => {
    const plain = join(dir, "plain");
    mkdirSync(plain);
    expect(enable(plain, "user")).toMatchObject({ memory: "none" });
    expect([trustOf(configDir(), app), claimMemory(configDir(), app, now)]).toEqual(["new", true]);
    expect([trustOf(configDir(), app), claimMemory(configDir(), app, now)]).toEqual(["trusted", false]);
    expect(disable(app)).toMatchObject({ hooksForAll: true });
    expect([trustOf(configDir(), app), trustOf(configDir(), plain)]).toEqual(["off", "new"]);
    disable(plain, { scope: "user" });
    expect([trustOf(configDir(), plain), existsSync(join(dir, "home/.claude"))]).toEqual(["off", false]);
  });
});

describe("trustOf", () => {
  test("is off where nothing was enabled", () => {
    expect([trustOf(configDir(), app), claimMemory(configDir(), app, now)]).toEqual(["off", false]);
  });

  test("does not take a memory that came with a repository, at a known path or with all projects on", () => {
    enable(app, "user");
    const cloned = join(dir, "cloned");
    mkdirSync(join(cloned, ".mementor"), { recursive: true });
    writeFileSync(join(cloned, ".mementor/mementor.db"), "planted");
    expect([trustOf(configDir(), cloned), claimMemory(configDir(), cloned, now)]).toEqual(["foreign", false]);
    rmSync(join(app, ".mementor"), { recursive: true });
    renameSync(join(cloned, ".mementor"), join(app, ".mementor"));
    expect(trustOf(configDir(), app)).toBe("foreign");
    writeFileSync(join(app, ".mementor/id"), "0".repeat(32));
    expect(trustOf(configDir(), app)).toBe("foreign");
  });

  test("follows a project that was moved, not a copy and not a link to its memory", () => {
    enable(app, "local");
    const moved = join(dir, "moved");
    cpSync(app, moved, { recursive: true });
    expect(trustOf(configDir(), moved)).toBe("foreign");
    const hostile = join(dir, "hostile");
    mkdirSync(hostile);
    symlinkSync(join(app, ".mementor"), join(hostile, ".mementor"));
    expect(trustOf(configDir(), hostile)).toBe("foreign");
    rmSync(app, { recursive: true });
    expect(trustOf(configDir(), moved)).toBe("trusted");
  });

  test("enabling takes over a memory that was there, unless git tracks it", () => {
    mkdirSync(join(app, ".mementor"));
    writeFileSync(join(app, ".mementor/mementor.db"), "");
    git(app, "add", "-f", ".mementor");
    expect(() => enable(app, "project")).toThrow("is part of the repository");
    expect(enable(app, "project", { adopt: true }).memory).toBe("adopted");
    git(app, "rm", "-q", "-r", "--cached", ".mementor");
    writeFileSync(join(app, ".mementor/id"), "");
    expect([trustOf(configDir(), app), enable(app, "project").memory]).toEqual(["foreign", "adopted"]);
  });

  test("trusts nothing by a broken registry, which enabling sets aside", () => {
    enable(app, "local");
    writeFileSync(registryFileOf(configDir()), '{"version": 1');
    expect([isRegistryBroken(configDir()), trustOf(configDir(), app)]).toEqual([true, "off"]);
    enable(app, "local");
    expect([isRegistryBroken(configDir()), trustOf(configDir(), app)]).toEqual([false, "trusted"]);
    expect(
      readdirSync(configDir())
        .filter((name) => !name.endsWith(".lock"))
        .sort(),
    ).toEqual(["backups", "projects.json", "projects.json.broken"]);
  });
});

describe("disableProject", () => {
  test("takes out what was put in, and keeps the memory unless it is to go", () => {
    mkdirSync(join(app, ".claude"));
    const settings = join(app, ".claude/settings.json");
    writeFileSync(settings, '{"hooks": {}}');
    enable(app, "project");
    expect(disable(app)).toMatchObject({ memory: "kept", hooksForAll: false });
    expect([readFileSync(settings, "utf8"), trustOf(configDir(), app)]).toEqual(['{"hooks": {}}', "off"]);
    expect(enable(app, "project").memory).toBe("kept");
    expect(disable(app, { purge: true })).toMatchObject({ memory: "deleted" });
    expect([existsSync(join(app, ".mementor")), disable(app).memory]).toEqual([false, "none"]);
  });

  test("finds nothing to do where nothing was enabled, and leaves nothing behind", () => {
    expect(disable(app).settings.map(({ change }) => change)).toEqual(["unchanged", "unchanged"]);
    expect(readdirSync(dir)).toEqual(["app"]);
  });
});

describe("memoryOrigin", () => {
  test("knows a memory that was made here when the project is switched off, and no other", () => {
    expect(memoryOrigin(configDir(), app)).toBe("none");
    enable(app, "local");
    disable(app);
    expect([memoryOrigin(configDir(), app), trustOf(configDir(), app)]).toEqual(["own", "off"]);
    const cloned = join(dir, "cloned");
    mkdirSync(join(cloned, ".mementor"), { recursive: true });
    expect([memoryOrigin(configDir(), cloned), trustOf(configDir(), cloned)]).toEqual(["foreign", "off"]);
  });

  test("reading transcripts by hand leaves a project off that was switched off", () => {
    enable(app, "local");
    disable(app);
    registerMemory(configDir(), app, { now, settings: [], enables: false });
    expect(trustOf(configDir(), app)).toBe("off");
    registerMemory(configDir(), app, { now, settings: [] });
    expect(trustOf(configDir(), app)).toBe("trusted");
  });
});
