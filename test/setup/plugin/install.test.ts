import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runIn } from "../../support/host.ts";

let home: string;
let directory: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "mementor-plugin-"));
  directory = join(home, ".claude", "skills", "mementor");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const plugin = async (...argv: string[]) => {
  const { exitCode, stdout, stderr } = await runIn({
    argv: ["plugin", ...argv],
    cwd: home,
    homeDir: home,
    now: new Date("2026-03-04T12:00:00Z"),
  });
  return { exitCode, stdout, stderr };
};
const change = async (action: string) => JSON.parse((await plugin(action, "--json")).stdout);

describe("plugin", () => {
  test("install writes it where Claude Code looks, and explains the next step", async () => {
    const { exitCode, stdout } = await plugin("install");
    expect(exitCode).toBe(0);
    expect(stdout).toStartWith(`Installed the plugin in ${directory}.\n`);
    expect(stdout).toContain(`claude --plugin-dir ${directory}`);
    expect(readdirSync(directory).sort()).toEqual([
      ".claude-plugin",
      ".mcp.json",
      "commands",
      "hooks",
      "skills",
    ]);
    expect(existsSync(join(directory, "skills", "memory", "SKILL.md"))).toBe(true);
  });

  test("installing again changes nothing, but updates an older version", async () => {
    expect(await change("install")).toEqual({ directory, change: "created" });
    expect(await change("install")).toEqual({ directory, change: "unchanged" });
    writeFileSync(join(directory, "hooks", "hooks.json"), "{}");
    expect(await change("install")).toEqual({ directory, change: "updated" });
    expect(readFileSync(join(directory, "hooks", "hooks.json"), "utf8")).toContain("--from-plugin");
  });

  test("uninstall takes the directory of all skills away only where nothing else is in it", async () => {
    const skills = join(home, ".claude", "skills");
    await plugin("install");
    await plugin("uninstall");
    expect(readdirSync(join(home, ".claude"))).toEqual([]);
    await plugin("install");
    mkdirSync(join(skills, "tea"));
    await plugin("uninstall");
    expect(readdirSync(skills)).toEqual(["tea"]);
  });

  test("uninstall takes it away, and nothing else", async () => {
    mkdirSync(join(home, ".claude", "skills", "mine"), { recursive: true });
    await plugin("install");
    expect(await change("uninstall")).toEqual({ directory, change: "removed" });
    expect(readdirSync(join(home, ".claude", "skills"))).toEqual(["mine"]);
    expect(await change("uninstall")).toEqual({ directory, change: "unchanged" });
  });

  test("path prints its directory and respects CLAUDE_CONFIG_DIR", async () => {
    const missing = await plugin("path");
    expect([missing.exitCode, missing.stdout]).toEqual([1, ""]);
    expect(missing.stderr).toContain('Run "mementor plugin install" first.');
    await plugin("install");
    expect((await plugin("path")).stdout).toBe(`${directory}\n`);
    const elsewhere = { CLAUDE_CONFIG_DIR: join(home, "c") };
    const asked = { argv: ["plugin", "path"], cwd: home, homeDir: home, now: new Date(), env: elsewhere };
    await runIn({ ...asked, argv: ["plugin", "install"] });
    expect((await runIn(asked)).stdout).toBe(`${join(home, "c", "skills", "mementor")}\n`);
  });

  const others: [string, () => void][] = [
    ["a skill of the same name", () => writeFileSync(join(directory, "SKILL.md"), "mine")],
    [
      "another plugin",
      () => {
        mkdirSync(join(directory, ".claude-plugin"));
        writeFileSync(join(directory, ".claude-plugin", "plugin.json"), '{"name":"other"}');
      },
    ],
  ];
  for (const [name, make] of others)
    test(`leaves ${name} alone`, async () => {
      mkdirSync(directory, { recursive: true });
      make();
      const before = readdirSync(directory);
      for (const action of ["install", "uninstall"]) {
        const { exitCode, stderr } = await plugin(action);
        expect({ exitCode, isRefused: stderr.includes("is not mementor's plugin") }).toEqual({
          exitCode: 1,
          isRefused: true,
        });
      }
      expect(readdirSync(directory)).toEqual(before);
    });

  test("does not follow a link to somewhere else", async () => {
    mkdirSync(join(home, ".claude", "skills"), { recursive: true });
    mkdirSync(join(home, "target"));
    symlinkSync(join(home, "target"), directory);
    expect((await plugin("install")).exitCode).toBe(1);
    expect(readdirSync(join(home, "target"))).toEqual([]);
  });

  test.each([[["upgrade"]], [["installs"]]])("%j is no action", async (argv) => {
    const { exitCode, stderr } = await plugin(...argv);
    expect({ exitCode, says: stderr.includes("<action> must be install, uninstall or path, not ") }).toEqual({
      exitCode: 64,
      says: true,
    });
  });
});

describe("a plugin that an older version installed", () => {
  const skill = () => join(directory, "skills", "memory", "SKILL.md");
  const OLD = "allowed-tools: Bash(mementor search:*)\n";
  const run = (...argv: string[]) =>
    runIn({ argv, cwd: home, homeDir: home, now: new Date("2026-03-04T12:00:00Z") });

  beforeEach(async () => {
    await plugin("install");
    writeFileSync(skill(), OLD);
  });

  test.each([
    ["enable", ["enable", "--scope", "user", "--no-history"]],
    ["the program that an upgrade started", ["prepare"]],
    ["doctor --fix", ["doctor", "--fix"]],
  ])("is renewed by %s", async (_, argv) => {
    await run(...argv);
    expect(readFileSync(skill(), "utf8")).toContain("Bash(mementor recall:*)");
  });

  test("is named by doctor, which changes nothing", async () => {
    const { stdout } = await run("doctor", "--json");
    const found = JSON.parse(stdout).find(({ name }: { name: string }) => name === "plugin");
    expect(found).toMatchObject({ state: "warning", can_fix: true });
    expect(readFileSync(skill(), "utf8")).toBe(OLD);
  });

  test("stays out where it is not installed", async () => {
    await plugin("uninstall");
    await run("prepare");
    expect(existsSync(directory)).toBe(false);
  });
});
