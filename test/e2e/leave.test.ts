import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;
let local: string;
beforeEach(async () => {
  sandbox = await Sandbox.create({ model: "quick" });
  local = join(sandbox.project, ".claude/settings.local.json");
  git("init", "-q");
});
afterEach(() => sandbox[Symbol.asyncDispose]());

function git(...args: string[]): string {
  const run = Bun.spawnSync(["git", "-c", "user.name=a", "-c", "user.email=a@b", ...args], {
    cwd: sandbox.project,
  });
  return run.stdout.toString();
}
const enable = async (...options: string[]) =>
  (await sandbox.run(["enable", "--no-history", ...options])).stdout.replaceAll(sandbox.project, ".");
const statusOf = async () => JSON.parse((await sandbox.run(["status", "--json"])).stdout).leave;
const allowedIn = (file: string) => JSON.parse(readFileSync(file, "utf8")).permissions?.allow;
const given = (file: string, text: string) => {
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
};
const rules = () => [
  "Bash(mementor recall:*)",
  `Bash(${sandbox.home}/.local/share/mementor/bin/mementor recall:*)`,
];
const MAY = 'Claude Code may run "mementor recall" without asking you';

test("enable says that it gives leave to ask, gives it, and disable takes it back to the byte", async () => {
  const before = '{\n  "permissions": { "allow": ["Bash(ls:*)"] }\n}\n';
  given(local, before);
  const said = await enable();
  expect(said).toContain(`./.claude/settings.local.json: ${MAY}; not with --no-approve\n`);
  expect(said).toContain(`May ask   ${MAY} (./.claude/settings.local.json)\n`);
  expect(said.indexOf("not with --no-approve")).toBeLessThan(said.indexOf("Enabled"));
  expect(allowedIn(local)).toEqual(["Bash(ls:*)", ...rules()]);
  expect(await statusOf()).toEqual({ is_given: true, in_the_way: [] });
  await sandbox.run(["disable"]);
  expect(readFileSync(local, "utf8")).toBe(before);
});

test("--no-approve leaves it out, also where it was given before", async () => {
  await enable();
  expect(await enable("--no-approve")).toContain('Claude Code will ask you before it runs "mementor recall"');
  expect(allowedIn(local)).toBeUndefined();
  expect((await statusOf()).is_given).toBe(false);
});

test("with shared hooks, it stands in the user's own settings alone, which git leaves out", async () => {
  await enable("--scope", "project");
  const shared = join(sandbox.project, ".claude/settings.json");
  expect([allowedIn(shared), allowedIn(local)]).toEqual([undefined, rules()]);
  expect(git("status", "--short", "-uall")).toBe("?? .claude/settings.json\n");
  expect((await sandbox.run(["disable", "--scope", "project"])).exitCode).toBe(0);
  expect([existsSync(shared), existsSync(local)]).toEqual([false, false]);
});

test("for all projects, it stands in the user's settings, beside the tools that only read", async () => {
  await enable("--scope", "user", "--mcp");
  const file = join(sandbox.home, ".claude/settings.json");
  expect(allowedIn(file).slice(0, 3)).toEqual([...rules(), "mcp__mementor__search"]);
  expect(allowedIn(file)).not.toContain("mcp__mementor__note");
  await sandbox.run(["disable", "--scope", "user"]);
  expect(existsSync(file)).toBe(false);
});

test("settings that git tracks get none", async () => {
  given(local, "{}\n");
  git("add", "-f", local);
  expect(await enable()).toContain(
    'May ask   Claude Code will ask before it runs "mementor recall": git tracks ./.claude/settings.local.json',
  );
  expect(allowedIn(local)).toBeUndefined();
  expect(await statusOf()).toEqual({
    is_given: false,
    in_the_way: [{ file: local, why: "tracked", rule: null }],
  });
});

test.each(["Bash(mementor recall:*)", "Bash(mementor:*)", "Bash(mementor *)", "Bash", "Bash(*)"])(
  "status names a rule in its way: %s",
  async (rule) => {
    const shared = join(sandbox.project, ".claude/settings.json");
    given(
      shared,
      JSON.stringify({ permissions: { deny: [rule, "Bash(mementor forget:*)"], ask: ["Bash(rm:*)"] } }),
    );
    await enable();
    expect(await statusOf()).toEqual({ is_given: true, in_the_way: [{ file: shared, why: "denied", rule }] });
    const { stdout } = await sandbox.run(["status"]);
    expect(stdout.replaceAll(sandbox.project, ".")).toContain(
      `May ask   ${MAY}, but for what is in the way:\n          ./.claude/settings.json denies it: ${rule}\n`,
    );
  },
);
