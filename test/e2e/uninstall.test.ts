import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { Sandbox } from "../support/sandbox.ts";

const SETTINGS = '{ "model": "opus" } // mine\n';

let sandbox: Sandbox;
let second: string;
beforeEach(async () => {
  sandbox = await Sandbox.create({ cacheDir: "copy" });
  second = join(sandbox.root, "second");
  mkdirSync(join(second, ".git"), { recursive: true });
  writeFileSync(join(second, ".git", "HEAD"), "ref: refs/heads/main\n");
});
afterEach(() => sandbox[Symbol.asyncDispose]());

const settings = (root: string) => join(root, ".claude", "settings.json");
const place = (...names: string[]) => join(sandbox.home, ...names);

/** Two projects, one of them with settings of its own, hooks for all projects, and the plugin. */
async function everywhere(): Promise<void> {
  mkdirSync(join(sandbox.project, ".claude"));
  writeFileSync(settings(sandbox.project), SETTINGS);
  await enabled(sandbox, sandbox.project, { scope: "project" });
  await enabled(sandbox, second, { scope: "local" });
  await enabled(sandbox, sandbox.project, { scope: "user" });
  await sandbox.run(["plugin", "install"]);
}

test("uninstall takes everything out but the memories, and says where these are", async () => {
  await everywhere();
  const memories = [sandbox.memory(), sandbox.memoryOf(second)];
  const preview = await sandbox.run(["uninstall", "--dry-run"]);
  expect(preview.stdout).toStartWith("Would ");
  mkdirSync(place("named/mementor"), { recursive: true });
  const env = { XDG_DATA_HOME: place("named") };
  const named = await sandbox.run(["uninstall", "--dry-run"], { env });
  expect(named.stdout).toContain(`${place("named/mementor")} stays: variables name it`);
  expect(readFileSync(settings(sandbox.project), "utf8")).not.toBe(SETTINGS);

  const { exitCode, stdout, stderr } = await sandbox.run(["uninstall"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  for (const memory of memories) {
    expect(stdout).toContain(memory);
    expect(existsSync(join(memory, "mementor.db"))).toBe(true);
  }
  expect(readFileSync(settings(sandbox.project), "utf8")).toBe(SETTINGS);
  expect(existsSync(join(second, ".claude"))).toBe(false);
  expect(existsSync(settings(sandbox.home))).toBe(false);
  expect(existsSync(place(".claude", "skills", "mementor"))).toBe(false);
  expect(existsSync(place(".cache", "mementor"))).toBe(false);
  expect(existsSync(place(".local", "share", "mementor", "bin"))).toBe(false);

  await sandbox.run(["enable", "--no-history"]);
  expect(sandbox.memory()).toBe(memories[0] ?? "");
});

test("with --purge nothing of it is left", async () => {
  await everywhere();
  const asked = await sandbox.run(["uninstall", "--purge"]);
  expect({ exitCode: asked.exitCode, stderr: asked.stderr }).toEqual({
    exitCode: 64,
    stderr: expect.stringContaining('"--yes"'),
  });
  const { exitCode } = await sandbox.run(["uninstall", "--purge", "--yes"]);
  expect(exitCode).toBe(0);
  expect([...new Bun.Glob("**/*").scanSync({ cwd: sandbox.home, dot: true })]).toEqual([]);
  expect(existsSync(join(sandbox.project, ".mementor"))).toBe(false);
  expect(readFileSync(settings(sandbox.project), "utf8")).toBe(SETTINGS);
});

test("settings that cannot be read stop nothing elsewhere", async () => {
  await everywhere();
  writeFileSync(settings(sandbox.project), "{ broken");
  const { exitCode, stdout } = await sandbox.run(["uninstall", "--json"]);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    done: true,
    plugin: "removed",
    problems: [
      { place: settings(sandbox.project), problem: expect.stringContaining("settings.json") },
      { place: place(".local", "share", "mementor", "bin"), problem: expect.stringContaining("it stays") },
    ],
  });
  expect(existsSync(join(second, ".claude"))).toBe(false);
  expect(existsSync(settings(sandbox.home))).toBe(false);
});

test("says what would go and then what went, in every agent", async () => {
  mkdirSync(place(".codex"));
  await sandbox.run(["enable", "--no-history", "--for", "codex", "--mcp"]);
  await sandbox.run(["plugin", "install"]);
  const shown = ({ stdout }: { stdout: string }) =>
    stdout
      .replaceAll(sandbox.memory(), "MEMORY")
      .replaceAll(sandbox.root, "")
      .replaceAll(/ \(\d+ .B\)/g, "")
      .split("\n")
      .filter((line) => !/^Program /.test(line));
  const lines = (label: string, verbs: readonly [take: string, remove: string, keep: string]) => [
    `${label.padEnd(10)}${verbs[0]} the hooks out of /project`,
    `          ${verbs[0]} the hooks out of Codex: /home/.codex/hooks.json`,
    `          ${verbs[0]} the MCP server out of Codex: /home/.codex/config.toml`,
    `          ${verbs[0]} the permission to ask out of Codex: /home/.codex/rules/mementor.rules`,
    `          ${verbs[0]} the plugin out of Claude Code`,
    `          ${verbs[1]} /home/.cache/mementor`,
    `          ${verbs[1]} /home/.local/share/mementor/bin`,
    `          ${verbs[2]} the memory of /project: MEMORY`,
    `          ${verbs[2]} the settings of mementor: /home/.config/mementor`,
    'Note      "mementor uninstall --purge" deletes the memories and their settings, too.',
    "",
  ];
  const preview = await sandbox.run(["uninstall", "--dry-run"]);
  expect(shown(preview)).toEqual(lines("Would", ["take", "remove", "keep"]));
  expect(shown(await sandbox.run(["uninstall"]))).toEqual(lines("Done", ["took", "removed", "kept"]));
});
