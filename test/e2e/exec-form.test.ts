import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outcomeOf } from "../support/outcome.ts";
import { Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;
let PATH: string;
beforeEach(async () => {
  sandbox = await Sandbox.create({ cacheDir: "copy" });
  PATH = `${join(sandbox.root, "bin")}:/usr/bin:/bin`;
  installClaude("2.1.330");
});
afterEach(() => sandbox[Symbol.asyncDispose]());

/** Puts a program on the PATH that says this version. */
function installClaude(version: string): void {
  const file = join(sandbox.root, "bin", "claude");
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho '${version} (Claude Code)'\n`);
  chmodSync(file, 0o755);
}

const run = (...args: string[]) => sandbox.run(args, { env: { PATH } });
const settings = () => join(sandbox.project, ".claude/settings.local.json");

interface Hook {
  command: string;
  args?: string[];
}
const hookFor = (event: string, file = settings()): Hook =>
  JSON.parse(readFileSync(file, "utf8")).hooks[event][0].hooks[0];

/** Starts a hook as Claude Code does: without a shell, or as a version that does not know `args`. */
async function start({ command, args = [] }: Hook, input: object, knowsArgs = true) {
  const child = Bun.spawn(knowsArgs ? [command, ...args] : ["sh", "-c", command], {
    cwd: sandbox.project,
    env: sandbox.env(),
    stdin: Buffer.from(JSON.stringify(input)),
    stdout: "pipe",
    stderr: "pipe",
  });
  return outcomeOf(child);
}

const NOTE = "Backups go to Lisbon because the Frankfurt bucket has no object lock.";
const PROMPT = "Why do the backups go to Lisbon and not to the Frankfurt bucket, what about its object lock?";

test("a hook answers without a shell; the bare program prints nothing for a client that does not know args", async () => {
  await run("enable", "--no-history");
  await run("note", NOTE);
  const hook = hookFor("UserPromptSubmit");
  expect(hook).toMatchObject({
    command: join(sandbox.home, ".local/share/mementor/bin/mementor"),
    args: ["hook", "user-prompt-submit", "--no-shell"],
  });
  const input = {
    session_id: crypto.randomUUID(),
    cwd: sandbox.project,
    hook_event_name: "UserPromptSubmit",
    prompt: PROMPT,
  };
  expect(await start(hook, input)).toEqual({
    exitCode: 0,
    stdout: expect.stringContaining("object lock"),
    stderr: "",
  });
  const nothing = { exitCode: 0, stdout: "", stderr: "" };
  expect(await start(hook, input, false)).toEqual(nothing);
  expect((await sandbox.run([], { stdin: "" })).stdout).toContain("mementor");
});

test("what renews the program leaves the form as it is; enable asks the client again", async () => {
  const plugin = join(sandbox.home, ".claude/skills/mementor/hooks/hooks.json");
  const forms = () => [settings(), plugin].map((file) => hookFor("Stop", file).args !== undefined);
  installClaude("2.1.138");
  await run("enable", "--no-history");
  await run("plugin", "install");
  installClaude("2.1.330");
  await run("prepare");
  await run("doctor", "--fix");
  expect(forms()).toEqual([false, false]);
  await run("enable", "--no-history");
  expect(forms()).toEqual([true, true]);
  installClaude("2.1.138");
  await run("prepare");
  await run("doctor", "--fix");
  expect(forms()).toEqual([true, true]);
  expect((await run("disable")).exitCode).toBe(0);
  expect(existsSync(join(sandbox.project, ".claude"))).toBe(false);
});

test("uninstall keeps the program as long as a hook that starts it cannot be taken out", async () => {
  await run("enable", "--no-history");
  const written = readFileSync(settings(), "utf8");
  const { command } = hookFor("Stop");
  writeFileSync(settings(), "{ broken");
  const { exitCode, stdout } = await run("uninstall");
  expect([exitCode, existsSync(command)]).toEqual([1, true]);
  expect(stdout).toContain("it stays, since hooks that need it could not be taken out");
  writeFileSync(settings(), written);
  expect((await run("uninstall")).exitCode).toBe(0);
  expect([existsSync(command), existsSync(settings())]).toEqual([false, false]);
});
