import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Check, diagnose } from "../../../../src/cli/commands/doctor/check.ts";
import { type EngineTools, engineChecks } from "../../../../src/cli/commands/doctor/engine.ts";
import {
  hooksChecks,
  installationChecks,
  memoryChecks,
} from "../../../../src/cli/commands/doctor/installation.ts";
import { findProject } from "../../../../src/io/git/project.ts";
import { registryPath } from "../../../../src/project/registry.ts";
import { memoryPlace } from "../../../../src/project/trust.ts";
import { enableProject } from "../../../../src/setup/enable.ts";
import type { HookScope } from "../../../../src/setup/settings/hook-entries.ts";
import { readHooksState } from "../../../../src/setup/settings/hooks-state.ts";

let dir = "";
let app = "";
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "mementor-doctor-")));
  app = join(dir, "app");
  mkdirSync(app);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const context = (self = "/opt/mementor") => ({
  claudeDir: join(dir, "claude"),
  configDir: join(dir, "config"),
  dataDir: join(dir, "data"),
  self: [self],
  platform: "linux" as const,
  policyDir: join(dir, "policy"),
});
const enable = (scope: HookScope, self?: string) =>
  enableProject({
    ...context(self),
    project: findProject(app),
    scope,
    leave: { rules: [], files: [], tracked: [] },
    adopt: false,
    now: new Date(0),
  });

/** `name: state` of each check, which is what scripts see. */
async function states(checks: Check[], fix = false): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { name, state, fixed } of diagnose(checks, { fix })) found[name] = fixed ? "fixed" : state;
  return found;
}

describe("hooksChecks", () => {
  const checks = () =>
    hooksChecks({
      hooks: () => readHooksState(findProject(app), context()),
      rewrite: (scope) => void enable(scope),
    });

  test("sees hooks that are missing, there or outdated", async () => {
    expect(await states(checks())).toEqual({ settings: "ok", hooks: "error", cleanup: "ok" });
    enable("local");
    expect(await states(checks())).toEqual({ settings: "ok", hooks: "ok", cleanup: "ok" });
    const file = join(app, ".claude/settings.local.json");
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace(/test -x .* hook stop .* true/, "mementor hook stop"),
    );
    expect(await states(checks())).toMatchObject({ hooks: "warning" });
    expect(await states(checks(), true)).toMatchObject({ hooks: "fixed" });
    enable("user");
    expect(await states(checks())).toMatchObject({ hooks: "ok" });
  });

  test.each([
    ["{", { settings: "error", hooks: "error", cleanup: "ok" }],
    ['{"disableAllHooks": true}', { settings: "error", hooks: "error", cleanup: "ok" }],
    ['{"cleanupPeriodDays": 3}', { settings: "ok", hooks: "error", cleanup: "warning" }],
  ])("sees what %j says", async (text, expected) => {
    mkdirSync(join(dir, "claude"));
    writeFileSync(join(dir, "claude/settings.json"), text);
    expect(await states(checks())).toEqual(expected);
  });

  test.each([
    ["managed-settings.json", '{"allowManagedHooksOnly": true}', { settings: "error" }],
    ["managed-settings.d/10-hooks.json", '{"disableAllHooks": true}', { settings: "error" }],
    ["managed-settings.json", '{"cleanupPeriodDays": 2}', { cleanup: "warning" }],
    ["managed-settings.json", "{", { settings: "ok" }],
  ])("sees what an organisation says in %s: %s", async (name, text, expected) => {
    enable("local");
    mkdirSync(join(dir, "policy/managed-settings.d"), { recursive: true });
    writeFileSync(join(dir, "policy", name), text);
    expect(await states(checks())).toMatchObject({ hooks: "ok", ...expected });
  });
});

describe("memoryChecks", () => {
  const place = () => memoryPlace(context(), app).directory;
  const checks = (options: { errors?: string[] } = {}) =>
    memoryChecks({
      root: app,
      ...context(),
      memoryDirectory: place(),
      logDirectory: join(place(), "log"),
      uid: process.getuid?.() ?? null,
      recentErrors: async () => options.errors ?? [],
    });
  const fine = { registry: "ok", trust: "ok", permissions: "ok", log: "ok" };

  test("finds nothing wrong with what enable made", async () => {
    expect(await states(checks())).toEqual({ ...fine, trust: "error" });
    enable("local");
    expect(await states(checks())).toEqual(fine);
  });

  test("closes what others can reach", async () => {
    enable("local");
    writeFileSync(join(place(), "mementor.db"), "");
    chmodSync(join(place(), "mementor.db"), 0o644);
    chmodSync(place(), 0o755);
    expect(await states(checks())).toEqual({ ...fine, permissions: "warning" });
    expect(await states(checks(), true)).toEqual({ ...fine, permissions: "fixed" });
    expect(statSync(join(place(), "mementor.db")).mode & 0o777).toBe(0o600);
  });

  test("sees a project that is not enabled, a broken registry and errors in the log", async () => {
    enable("local");
    mkdirSync(join(place(), "log"), { mode: 0o700 });
    expect(await states(checks({ errors: ["hook failed"] }))).toEqual({ ...fine, log: "warning" });
    writeFileSync(registryPath(context().configDir), "x");
    expect(await states(checks())).toMatchObject({ registry: "error", trust: "error" });
  });

  test("leaves the modes of a project's tree alone", async () => {
    mkdirSync(join(app, ".mementor"), { mode: 0o755 });
    expect(await states(checks(), true)).toMatchObject({ permissions: "ok" });
    expect(statSync(join(app, ".mementor")).mode & 0o777).toBe(0o755);
  });
});

describe("installationChecks", () => {
  const self = () => join(dir, "bin/mementor");
  const check = (path: string, answer: string | null) =>
    states(
      installationChecks({
        ...context(self()),
        program: {
          file: join(dir, "program"),
          isThis: () => false,
          install: () => writeFileSync(join(dir, "program"), ""),
        },
        path,
        version: "1",
        hooks: () => readHooksState(findProject(app), context(self())),
        versionOf: async () => answer,
      }),
    );
  const binary = (name: string, mode = 0o755) => {
    mkdirSync(join(dir, name), { recursive: true });
    writeFileSync(join(dir, name, "mementor"), "", { mode });
    return join(dir, name);
  };

  test("wants the program where hooks look for it, once there are hooks", async () => {
    const path = [binary("plain", 0o644), join(dir, "none")].join(":");
    expect(await check(path, null)).toEqual({ binary: "ok", program: "ok" });
    enable("project");
    expect(await check(path, null)).toEqual({ binary: "ok", program: "error" });
    writeFileSync(join(dir, "program"), "");
    expect(await check(path, "0.9")).toEqual({ binary: "ok", program: "warning" });
    expect(await check(path, "1")).toEqual({ binary: "ok", program: "ok" });
  });

  test("compares another binary that comes first", async () => {
    const own = binary("bin");
    mkdirSync(join(dir, "links"));
    symlinkSync(self(), join(dir, "links/mementor"));
    const other = binary("other");
    expect(await check(own, null)).toMatchObject({ binary: "ok" });
    expect(await check(`${join(dir, "links")}:${other}`, null)).toMatchObject({ binary: "ok" });
    expect(await check(`${other}:${own}`, "1")).toMatchObject({ binary: "ok" });
    expect(await check(`${other}:${own}`, "0")).toMatchObject({ binary: "warning" });
    expect(await check(`${other}:${own}`, null)).toMatchObject({ binary: "warning" });
  });
});

describe("engineChecks", () => {
  const sound: EngineTools = {
    versions: () => ({ mementor: "1" }),
    assetProblems: async () => [],
    repairAssets: async () => {},
    vectorExtension: async () => "0.1.9",
    databaseProblems: async () => null,
    wordProblems: async () => null,
    rebuildWords: async () => {},
    strays: async () => null,
    setStraysAside: async () => {},
    secrets: async () => ({ isCurrent: true, found: 0 }),
    repairDatabase: async () => {},
    setAside: () => [],
    roundTrip: async () => ({ distance: 0.2, durationMs: 80 }),
  };
  const fine = {
    versions: "ok",
    assets: "ok",
    extension: "ok",
    database: "ok",
    words: "ok",
    sessions: "ok",
    secrets: "ok",
    "round-trip": "ok",
  };

  test.each<[Partial<EngineTools>, Partial<typeof fine>]>([
    [{}, {}],
    [{ databaseProblems: async () => [] }, {}],
    [{ assetProblems: async () => [{ file: "model.onnx", problem: "changed" }] }, { assets: "error" }],
    [{ vectorExtension: async () => null }, { extension: "warning" }],
    [{ vectorExtension: async () => "none" }, {}],
    [{ databaseProblems: async () => ["row 3 missing from index"] }, { database: "error" }],
    [{ wordProblems: async () => [] }, {}],
    [{ wordProblems: async () => ["3 turns have no words"] }, { words: "error" }],
    [{ strays: async () => [] }, {}],
    [{ strays: async () => [{ sessionId: "s", root: "/other" }] }, { sessions: "error" }],
    [{ secrets: async () => null }, {}],
    [{ secrets: async () => ({ isCurrent: false, found: 0 }) }, { secrets: "warning" }],
    [{ secrets: async () => ({ isCurrent: true, found: 2 }) }, { secrets: "warning" }],
    [{ roundTrip: async () => ({ distance: 0.9, durationMs: 80 }) }, { "round-trip": "error" }],
    [{ roundTrip: () => Promise.reject(new Error("no model")) }, { "round-trip": "error" }],
  ])("%#", async (tools, expected) => {
    expect(await states(engineChecks({ ...sound, ...tools }))).toEqual({ ...fine, ...expected });
  });

  test("mends a damaged database, its index of words and files of the cache", async () => {
    const broken = new Set(["database", "words", "assets"]);
    const tools: EngineTools = {
      ...sound,
      databaseProblems: async () => (broken.has("database") ? ["x"] : []),
      repairDatabase: async () => void broken.delete("database"),
      wordProblems: async () => (broken.has("words") ? ["x"] : []),
      rebuildWords: async () => void broken.delete("words"),
      assetProblems: async () => (broken.has("assets") ? [{ file: "a", problem: "changed" }] : []),
      repairAssets: async () => void broken.delete("assets"),
    };
    expect(await states(engineChecks(tools), true)).toEqual({
      ...fine,
      database: "fixed",
      words: "fixed",
      assets: "fixed",
    });
  });
});
