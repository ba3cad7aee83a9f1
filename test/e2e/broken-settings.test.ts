import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Sandbox } from "../support/sandbox.ts";

const OWN = '{\n  "model": "opus"\n}\n';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.create({ cacheDir: "copy", model: "quick" });
});
afterEach(() => sandbox[Symbol.asyncDispose]());

const shared = () => join(sandbox.project, ".claude/settings.json");
const local = () => join(sandbox.project, ".claude/settings.local.json");
const gemini = () => join(sandbox.home, ".gemini/settings.json");
const registered = () =>
  JSON.parse(readFileSync(join(sandbox.home, ".config/mementor/projects.json"), "utf8")).projects;
const memories = () => readdirSync(join(sandbox.home, ".local/share/mementor/projects"));

/** What a pull, or a slip, leaves where settings with hooks were. */
const BREAKS: [string, () => string, string[], (file: string) => void][] = [
  ["a word without quotes in", shared, ["--scope", "project"], (file) => writeFileSync(file, "{ broken")],
  [
    "a directory in the place of",
    local,
    [],
    (file) => {
      rmSync(file);
      mkdirSync(file);
    },
  ],
  ["half of another agent's", gemini, ["--for", "gemini"], (file) => writeFileSync(file, '{ "hooks": {')],
];

test.each(BREAKS)("%s settings leaves no memory, and a record that restores them", async (...given) => {
  const [, place, args, breaks] = given;
  const file = place();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, OWN);
  await sandbox.run(["enable", "--no-history", ...args]);
  await sandbox.run(["note", "Deploys happen on Tuesday"]);
  const hooked = readFileSync(file, "utf8");
  expect(hooked).toContain("mementor");
  breaks(file);

  const { exitCode, stdout } = await sandbox.run(["disable", "--purge", "--yes"]);
  expect([exitCode, stdout]).toEqual([1, expect.stringContaining(`Problem   ${file}`)]);
  expect(stdout).toContain("Memory    deleted for good");
  expect(memories()).toEqual([]);
  expect(registered()).toMatchObject([{ root: sandbox.project, id: null, enabled: false, settings: [file] }]);

  const uninstalled = await sandbox.run(["uninstall", "--purge", "--yes"]);
  expect([uninstalled.exitCode, uninstalled.stdout]).toEqual([1, expect.stringContaining(file)]);
  expect(registered()).toMatchObject([{ settings: [file] }]);

  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, hooked);
  expect((await sandbox.run(["uninstall", "--purge", "--yes"])).exitCode).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(OWN);
  expect(existsSync(join(sandbox.home, ".config/mementor"))).toBe(false);
});

test("one broken file keeps no other hooks", async () => {
  await sandbox.run(["enable", "--no-history", "--scope", "project"]);
  await sandbox.run(["enable", "--no-history"]);
  await sandbox.run(["note", "Deploys happen on Tuesday"]);
  writeFileSync(shared(), "{ broken");
  const { exitCode } = await sandbox.run(["uninstall", "--purge", "--yes"]);
  expect([exitCode, existsSync(local()), readFileSync(shared(), "utf8")]).toEqual([1, false, "{ broken"]);
  expect(memories()).toEqual([]);
});
