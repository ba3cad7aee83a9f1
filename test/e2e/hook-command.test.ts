import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, linkSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hookCommand, PROGRAM_PATH } from "../../src/setup/settings/hook-entries.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;
let program = "";
beforeAll(async () => {
  sandbox = await Sandbox.create();
  program = join(sandbox.home, PROGRAM_PATH);
  mkdirSync(dirname(program), { recursive: true });
});
afterAll(() => sandbox[Symbol.asyncDispose]());

/** The shells that agents start hooks with. */
const SHELLS = ["sh", "dash", "bash", "zsh", "fish"].filter((name) => Bun.which(name) !== null);

/** What is where hooks look for the program. */
const PROGRAMS: [name: string, put: () => void, said: string][] = [
  ["nothing", () => {}, ""],
  ["this program", () => linkSync(BINARY, program), ""],
  ["a program that answers", () => script("cat; echo noise >&2"), '{"a": 1}'],
  ["a program that blocks", () => script("echo blocked >&2; exit 2"), ""],
  ["a program that crashes", () => script("kill -SEGV $$"), ""],
  ["a file that cannot be started", () => writeFileSync(program, "text"), ""],
  ["a directory", () => mkdirSync(program), ""],
];

/** What surrounds the shell: a command that starts it by `exec "$@"`. */
const SURROUNDINGS: [name: string, start: string][] = [
  ["the home directory", 'exec "$@"'],
  ["a directory that was deleted", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"'],
  ["few file descriptors", 'ulimit -n 5 && exec "$@"'],
  ["four file descriptors", 'ulimit -n 4 && exec "$@"'],
];

function script(text: string): void {
  writeFileSync(program, `#!/bin/sh\n${text}\n`);
  chmodSync(program, 0o755);
}

/** Where a shell itself fails before it comes to `true`; these codes block nothing. */
const EXCEPTIONS: Record<string, number[]> = {
  "zsh, four file descriptors": [1],
  "fish, a directory": [126, 127],
};

const CASES = SHELLS.flatMap((shell) =>
  PROGRAMS.flatMap(([name, put, said]) =>
    SURROUNDINGS.map(([place, start]) => [shell, name, place, put, said, start] as const),
  ),
);

test.each(CASES)("%s with %s in %s: ends with 0 and says no more than the program", async (...given) => {
  const [shell, name, place, put, said, start] = given;
  const ends = [0, ...(EXCEPTIONS[`${shell}, ${place}`] ?? EXCEPTIONS[`${shell}, ${name}`] ?? [])];
  rmSync(program, { recursive: true, force: true });
  put();
  const child = Bun.spawn(["bash", "-c", start, "bash", shell, "-c", hookCommand("stop")], {
    cwd: sandbox.root,
    env: sandbox.env(),
    stdin: Buffer.from('{"a": 1}'),
    stdout: "pipe",
    stderr: "ignore",
  });
  const stdout = await child.stdout.text();
  expect(ends).toContain(await child.exited);
  expect(place.includes("descriptors") ? ["", said] : [said]).toContain(stdout);
});

// An agent may start another shell than its settings were written for. Then the hook does nothing, and blocks nothing.
test.each(SHELLS)("%s reads the line for PowerShell without a word and without blocking", async (shell) => {
  rmSync(program, { recursive: true, force: true });
  script("echo started");
  const before = readdirSync(sandbox.root);
  const child = Bun.spawn([shell, "-c", hookCommand("stop", [], "powershell")], {
    cwd: sandbox.root,
    env: { ...sandbox.env(), USERPROFILE: sandbox.home },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  expect(await child.stdout.text()).toBe("");
  expect([0, 1, 127]).toContain(await child.exited);
  expect(readdirSync(sandbox.root)).toEqual(before);
});
