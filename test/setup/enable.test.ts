import { Database } from "bun:sqlite";
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
import { basename, join } from "node:path";
import { findProject } from "../../src/io/git/project.ts";
import { claimMemory, registerMemory } from "../../src/project/claim.ts";
import { isRegistryBroken, readRegistry, registryPath } from "../../src/project/registry.ts";
import { isTrusted, memoryOrigin, memoryPlace, projectTrust } from "../../src/project/trust.ts";
import { disableProject } from "../../src/setup/disable.ts";
import { enableProject, rewriteHooks } from "../../src/setup/enable.ts";
import { type McpTarget, mcpTargets, recordServers, registerMcp } from "../../src/setup/mcp.ts";
import type { HookScope } from "../../src/setup/settings/hook-entries.ts";
import { readHooksState } from "../../src/setup/settings/hooks-state.ts";
import type { PermissionRules } from "../../src/setup/settings/permission.ts";

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
const dirs = () => ({ configDir: configDir(), dataDir: join(dir, "home/.local/share/mementor") });
const place = (root = app) => memoryPlace(dirs(), root).directory;
const context = (self = "/opt/my tools/mementor") => ({
  claudeDir: join(dir, "home/.claude"),
  ...dirs(),
  self: [self],
  platform: "linux" as const,
  now,
});
const NO_LEAVE: PermissionRules = { rules: [], files: [], tracked: [] };
const enable = (
  cwd: string,
  scope: HookScope,
  options: {
    self?: string;
    adopt?: boolean;
    takesLater?: boolean;
    program?: string;
    leave?: PermissionRules;
  } = {},
) =>
  enableProject({
    ...context(options.self),
    project: findProject(cwd),
    scope,
    leave: options.leave ?? NO_LEAVE,
    adopt: options.adopt ?? false,
    takesLater: options.takesLater ?? false,
    program: options.program,
  });
const disable = (cwd: string, options: { scope?: HookScope; purge?: boolean; servers?: McpTarget[] } = {}) =>
  disableProject({
    agents: [],
    servers: options.servers ?? [],
    ...context(),
    project: findProject(cwd),
    scope: options.scope ?? null,
    purge: options.purge ?? false,
  });
const modeOf = (path: string) => statSync(path).mode & 0o777;

test("nobody else can change settings in a directory that was made, whatever the umask", () => {
  const before = process.umask(0);
  try {
    enable(app, "local");
  } finally {
    process.umask(before);
  }
  expect(modeOf(join(app, ".claude"))).toBe(0o755);
});

function git(cwd: string, ...args: string[]): void {
  const run = Bun.spawnSync(["git", "-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd });
  if (!run.success) throw new Error(run.stderr.toString());
}

function repository(path: string): void {
  mkdirSync(path, { recursive: true });
  git(path, "init", "-q");
  git(path, "commit", "-q", "--allow-empty", "-m", "one");
}

/** A database of some other program. */
function database(file: string): void {
  const db = new Database(file);
  db.run("CREATE TABLE notes (text TEXT)");
  db.close();
}

describe("enableProject", () => {
  test("makes a private memory, registers it and writes the hooks; doing it again changes nothing", () => {
    const settings = join(app, ".claude/settings.json");
    const result = {
      root: app,
      scope: "project" as const,
      leave: NO_LEAVE,
      movedFrom: [],
      alsoIn: [],
      excludedIn: null,
    };
    const tree = join(app, ".mementor");
    const made = enable(app, "project");
    expect(made).toEqual({
      ...result,
      memoryDirectory: place(),
      memory: "created",
      settings: [{ file: settings, change: "created" }],
    });
    expect([modeOf(place()), modeOf(join(place(), "..")), modeOf(dirs().dataDir)]).toEqual([
      0o700, 0o700, 0o700,
    ]);
    expect([readdirSync(tree).sort(), readFileSync(join(tree, ".gitignore"), "utf8")]).toEqual([
      [".gitignore", "pointer.json"],
      "*\n",
    ]);
    expect(JSON.parse(readFileSync(join(tree, "pointer.json"), "utf8"))).toEqual({
      id: basename(place()),
      memory: place(),
    });
    expect([modeOf(configDir()), modeOf(registryPath(configDir()))]).toEqual([0o700, 0o600]);
    expect(isTrusted(dirs(), app)).toBe(true);
    const registered = readFileSync(registryPath(configDir()), "utf8");
    expect(enable(app, "project")).toEqual({
      ...result,
      memoryDirectory: place(),
      memory: "kept",
      settings: [{ file: settings, change: "unchanged" }],
    });
    expect(readFileSync(registryPath(configDir()), "utf8")).toBe(registered);
  });

  test("replaces the commands of earlier versions", () => {
    const file = join(app, ".claude/settings.local.json");
    const command = "'/old \\\\place/it'\\''s/mementor' hook stop";
    mkdirSync(join(app, ".claude"));
    const gone = command.replace("stop", "post-tool-use-failure");
    const of = (line: string) => [{ hooks: [{ type: "command", command: line }] }];
    writeFileSync(file, JSON.stringify({ hooks: { Stop: of(command), PostToolUseFailure: of(gone) } }));
    expect(enable(app, "local").settings).toEqual([{ file, change: "changed" }]);
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain("PostToolUseFailure");
    expect([text.includes("/old"), text.split('bin/mementor\\" hook').length - 1]).toEqual([false, 8]);
  });

  test("names an event that older clients do not know only where the installed one does, and not in shared settings", () => {
    const file = join(app, ".claude/settings.local.json");
    mkdirSync(join(app, ".claude"));
    writeFileSync(file, '{ "model": "sonnet" }');
    const hasLater = () => readFileSync(file, "utf8").includes("UserPromptExpansion");
    enable(app, "local");
    expect(hasLater()).toBe(false);
    expect(enable(app, "local", { takesLater: true }).settings).toEqual([{ file, change: "changed" }]);
    expect(hasLater()).toBe(true);
    rewriteHooks("local", findProject(app), context());
    expect(hasLater()).toBe(true);
    const states = () =>
      readHooksState(findProject(app), context()).filter(({ events }) => events.length > 0);
    expect(states().map(({ missing, outdated }) => [missing, outdated])).toEqual([[[], []]]);
    enable(app, "project", { takesLater: true });
    expect(readFileSync(join(app, ".claude/settings.json"), "utf8")).not.toContain("UserPromptExpansion");
    disable(app);
    expect(readFileSync(file, "utf8")).toBe('{ "model": "sonnet" }');
  });

  describe("hooks in the exec form", () => {
    const program = "/home/dev/.local/share/mementor/bin/mementor";
    const exec = { takesLater: true, program };
    const formsIn = (file: string): string[] => {
      if (!existsSync(file)) return [];
      const { hooks } = JSON.parse(readFileSync(file, "utf8"));
      const found = Object.values<{ hooks: { args?: string[] }[] }[]>(hooks).flatMap((groups) =>
        groups.flatMap((group) => group.hooks),
      );
      return [...new Set(found.map(({ args }) => (args ? "exec" : "line")))];
    };
    const [own, shared] = [".claude/settings.local.json", ".claude/settings.json"];
    const forms = () =>
      [join(app, own), join(app, shared), join(dir, "home/.claude/settings.json")].map(formsIn);

    test.each<[HookScope, string[][]]>([
      ["local", [["exec"], [], []]],
      ["project", [[], ["line"], []]],
      ["user", [[], [], ["exec"]]],
    ])("are in the user's own settings alone: %s", (scope, expected) => {
      enable(app, scope, exec);
      expect(forms()).toEqual(expected);
      const states = () => readHooksState(findProject(app), { ...context(), program });
      expect(states().map(({ missing, outdated }) => [...missing, ...outdated])).toEqual([[], [], []]);
      rewriteHooks(scope, findProject(app), { ...context(), program });
      expect(forms()).toEqual(expected);
      disable(app, { scope });
      expect(forms()).toEqual([[], [], []]);
    });

    test("are not made of lines by anything but enable, and of lines only where the client takes them", () => {
      mkdirSync(join(app, ".claude"));
      writeFileSync(join(app, own), '{"model":"sonnet"}\n');
      enable(app, "local");
      rewriteHooks("local", findProject(app), { ...context(), ...exec });
      expect(forms()).toEqual([["line"], [], []]);
      enable(app, "local", { program });
      expect(forms()).toEqual([["line"], [], []]);
      enable(app, "local", exec);
      expect(forms()).toEqual([["exec"], [], []]);
      enable(app, "local", { program });
      expect(forms()).toEqual([["line"], [], []]);
      enable(app, "local", exec);
      disable(app);
      expect(readFileSync(join(app, own), "utf8")).toBe('{"model":"sonnet"}\n');
    });

    test("give way to lines that the project shares, or that are for all projects", () => {
      enable(app, "project");
      enable(app, "local", exec);
      expect(forms()).toEqual([["line"], ["line"], []]);
      disable(app, { scope: "project" });
      enable(app, "local", exec);
      expect(forms()).toEqual([["exec"], [], []]);
      enable(app, "user");
      enable(app, "local", exec);
      expect(forms()).toEqual([["line"], [], ["line"]]);
    });
  });

  test("removes the hooks from the user's own settings, and keeps those that a team may share", () => {
    enable(app, "local");
    const [shared, own] = [join(app, ".claude/settings.json"), join(app, ".claude/settings.local.json")];
    expect(enable(app, "project")).toMatchObject({ movedFrom: [own], alsoIn: [] });
    expect([existsSync(own), existsSync(shared)]).toEqual([false, true]);
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
    expect(projectTrust(dirs(), app)).toBe("new");
    claimMemory(dirs(), app, now);
    const made = place();
    claimMemory(dirs(), app, now);
    expect([projectTrust(dirs(), app), place()]).toEqual(["trusted", made]);
    expect(disable(app)).toMatchObject({ hooksForAll: true });
    expect([projectTrust(dirs(), app), projectTrust(dirs(), plain)]).toEqual(["off", "new"]);
    disable(plain, { scope: "user" });
    expect([projectTrust(dirs(), plain), existsSync(join(dir, "home/.claude"))]).toEqual(["off", false]);
  });
});

describe("trustOf", () => {
  test("is off where nothing was enabled", () => {
    claimMemory(dirs(), app, now);
    expect([projectTrust(dirs(), app), existsSync(dirs().dataDir)]).toEqual(["off", false]);
  });

  test("believes nothing in the tree: neither an id nor a pointer nor a database", () => {
    enable(app, "user");
    const mine = place();
    const cloned = join(dir, "cloned");
    mkdirSync(join(cloned, ".mementor"), { recursive: true });
    database(join(cloned, ".mementor/mementor.db"));
    for (const name of ["id", "pointer.json"])
      writeFileSync(join(cloned, ".mementor", name), JSON.stringify({ id: basename(mine) }));
    writeFileSync(join(cloned, ".mementor/id"), `${basename(mine)}\n`);
    expect(projectTrust(dirs(), cloned)).toBe("foreign");
    claimMemory(dirs(), cloned, now);
    expect([projectTrust(dirs(), cloned), memoryOrigin(dirs(), cloned)]).toEqual(["foreign", "foreign"]);
    rmSync(join(app, ".mementor"), { recursive: true });
    renameSync(join(cloned, ".mementor"), join(app, ".mementor"));
    expect([projectTrust(dirs(), app), place()]).toEqual(["trusted", mine]);
  });

  test("neither follows a link in the tree nor writes through it", () => {
    const other = join(dir, "other");
    mkdirSync(other, { mode: 0o755 });
    symlinkSync(other, join(app, ".mementor"));
    enable(app, "local");
    expect([projectTrust(dirs(), app), readdirSync(other), modeOf(other)]).toEqual(["trusted", [], 0o755]);
    rmSync(join(app, ".mementor"));
    mkdirSync(join(app, ".mementor"));
    writeFileSync(join(dir, "victim"), "mine");
    symlinkSync(join(dir, "victim"), join(app, ".mementor/pointer.json"));
    enable(app, "local");
    expect(readFileSync(join(dir, "victim"), "utf8")).toBe("mine");
  });

  test("a moved project adopts its memory when asked to; a copy does not", () => {
    enable(app, "local");
    const mine = place();
    const moved = join(dir, "moved");
    cpSync(app, moved, { recursive: true });
    expect([projectTrust(dirs(), moved), memoryOrigin(dirs(), moved)]).toEqual(["off", "none"]);
    rmSync(app, { recursive: true });
    expect([projectTrust(dirs(), moved), memoryOrigin(dirs(), moved)]).toEqual(["off", "foreign"]);
    expect(() => enable(moved, "local")).toThrow(`This project was at ${app}, which no longer exists.`);
    expect(enable(moved, "local", { adopt: true })).toMatchObject({
      memory: "adopted",
      memoryDirectory: mine,
    });
    expect([projectTrust(dirs(), moved), place(moved)]).toEqual(["trusted", mine]);
    expect(readRegistry(configDir()).projects).toMatchObject([{ root: moved, former: [app] }]);
  });

  test("a copy of a project gets its own memory", () => {
    enable(app, "local");
    const copy = join(dir, "copy");
    cpSync(app, copy, { recursive: true });
    expect(enable(copy, "local").memory).toBe("created");
    expect(place(copy)).not.toBe(place());
    expect(JSON.parse(readFileSync(join(copy, ".mementor/pointer.json"), "utf8")).memory).toBe(place(copy));
  });

  test("enabling adopts a database in the tree only when asked to", () => {
    mkdirSync(join(app, ".mementor"));
    const file = join(app, ".mementor/mementor.db");
    writeFileSync(file, "no database");
    expect(enable(app, "project").memory).toBe("created");
    disable(app, { purge: true });
    rmSync(file);
    mkdirSync(join(app, ".mementor"), { recursive: true });
    database(file);
    expect(() => enable(app, "project")).toThrow("was not made here");
    expect(enable(app, "project", { adopt: true }).memory).toBe("adopted");
    expect([projectTrust(dirs(), app), existsSync(join(place(), "mementor.db"))]).toEqual(["trusted", true]);
  });

  test("trusts nothing by a broken registry, which enabling sets aside", () => {
    enable(app, "local");
    writeFileSync(registryPath(configDir()), '{"version": 1');
    expect([isRegistryBroken(configDir()), projectTrust(dirs(), app)]).toEqual([true, "off"]);
    const [lost = ""] = readdirSync(join(dirs().dataDir, "projects"));
    enable(app, "local", { adopt: true });
    expect([isRegistryBroken(configDir()), projectTrust(dirs(), app)]).toEqual([false, "trusted"]);
    expect(basename(place())).toBe(lost);
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
    expect([readFileSync(settings, "utf8"), projectTrust(dirs(), app)]).toEqual(['{"hooks": {}}', "off"]);
    expect(enable(app, "project").memory).toBe("kept");
    const before = place();
    expect(disable(app, { purge: true })).toMatchObject({ memory: "deleted" });
    expect([existsSync(join(app, ".mementor")), existsSync(before)]).toEqual([false, false]);
    expect(disable(app).memory).toBe("none");
  });

  test("takes the MCP server of an agent out with the last project that asked for it, and says where it stays", () => {
    const [home, other] = [join(dir, "home"), join(dir, "other")];
    const targets = mcpTargets({ env: {}, homeDir: home, platform: "linux" }, "/bin/mementor");
    const servers = targets.filter(({ id }) => id === "codex");
    const file = join(home, ".codex/config.toml");
    const asks = (root: string) => {
      registerMcp(servers, configDir());
      recordServers([file], root, dirs(), now);
    };
    const change = (root: string) => {
      const done = disable(root, { servers });
      return [done.servers, done.keptServers, existsSync(file)];
    };
    repository(other);
    for (const root of [other, app]) enable(root, "local");
    asks(app);
    expect(change(app)).toEqual([[{ file, change: "removed" }], [], false]);
    enable(app, "local");
    asks(app);
    asks(other);
    expect(change(app)).toEqual([[], [file], true]);
    expect(change(other)).toEqual([[{ file, change: "removed" }], [], false]);
  });

  test("finds nothing to do where nothing was enabled, and leaves nothing behind", () => {
    expect(disable(app).settings.map(({ change }) => change)).toEqual(["unchanged", "unchanged"]);
    expect(readdirSync(dir)).toEqual(["app"]);
  });
});

describe("memoryOrigin", () => {
  test("knows a memory that was made here when the project is switched off, and no other", () => {
    expect(memoryOrigin(dirs(), app)).toBe("none");
    enable(app, "local");
    disable(app);
    expect([memoryOrigin(dirs(), app), projectTrust(dirs(), app)]).toEqual(["own", "off"]);
    const cloned = join(dir, "cloned");
    mkdirSync(join(cloned, ".mementor"), { recursive: true });
    database(join(cloned, ".mementor/mementor.db"));
    expect([memoryOrigin(dirs(), cloned), projectTrust(dirs(), cloned)]).toEqual(["foreign", "off"]);
  });

  test("reading transcripts by hand leaves a project off that was switched off", () => {
    enable(app, "local");
    disable(app);
    registerMemory(dirs(), app, { now, settings: [], enables: false });
    expect(projectTrust(dirs(), app)).toBe("off");
    registerMemory(dirs(), app, { now, settings: [] });
    expect(projectTrust(dirs(), app)).toBe("trusted");
  });
});
