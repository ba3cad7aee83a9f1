import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outcomeOf } from "../support/outcome.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";

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
  return outcomeOf(spawn(knowsArgs ? [command, ...args] : ["sh", "-c", command], input));
}

function spawn(words: readonly string[], input: object) {
  return Bun.spawn([...words], {
    cwd: sandbox.project,
    env: sandbox.env(),
    stdin: Buffer.from(JSON.stringify(input)),
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** A directory that was deleted belongs to the repository around it. */
function makeRepository(): void {
  for (const folder of ["objects", "refs"]) mkdirSync(join(sandbox.project, ".git", folder));
}

/** Starts a hook in a directory that is deleted at once: a shell goes there, deletes it, and becomes the hook. */
function startInDeleted({ command, args = [] }: Hook, directory: string, input: object) {
  const script = 'mkdir -p "$1" && cd "$1" && rm -r "$1" && shift && exec "$@"';
  return outcomeOf(spawn(["sh", "-c", script, "sh", directory, command, ...args], input));
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

const hasProc = process.platform === "linux";

test.skipIf(!hasProc)(
  "in a directory that was deleted, a hook says nothing on stderr, and answers",
  async () => {
    makeRepository();
    await run("enable", "--no-history");
    await run("note", NOTE);
    const places = [
      join(sandbox.project, "src"),
      join(sandbox.project, ".claude/worktrees/gone"),
      join(sandbox.root, "elsewhere"),
    ];
    for (const cwd of places) {
      const input = { session_id: crypto.randomUUID(), cwd, hook_event_name: "Stop" };
      const silent = { exitCode: 0, stdout: "", stderr: "" };
      expect(await startInDeleted(hookFor("Stop"), cwd, input)).toEqual(silent);
      const asked = { ...input, hook_event_name: "UserPromptSubmit", prompt: PROMPT };
      const { exitCode, stdout, stderr } = await startInDeleted(hookFor("UserPromptSubmit"), cwd, asked);
      const isInside = cwd.startsWith(sandbox.project);
      expect({ cwd, exitCode, stderr, isTold: stdout.includes("object lock") }).toEqual({
        ...{ cwd, exitCode: 0, stderr: "", isTold: isInside },
      });
    }
  },
);

test.skipIf(!hasProc)(
  "a command in a directory that was deleted is one in the project around it",
  async () => {
    const gone = join(sandbox.project, "gone");
    makeRepository();
    const version = await startInDeleted({ command: BINARY, args: ["--version"] }, gone, {});
    expect(version).toMatchObject({ exitCode: 0, stderr: "", stdout: expect.stringMatching(/^mementor \d/) });
    await run("enable", "--no-history");
    const { exitCode, stderr } = await startInDeleted(
      { command: BINARY, args: ["recall", "backups"] },
      gone,
      {},
    );
    expect([exitCode, stderr]).toEqual([0, ""]);
  },
);

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
