import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MAIN = join(import.meta.dir, "../../src/main.ts");

let dir = "";
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "mementor-stray-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Runs a hook whose input does not end, with code beside it that runs once the program's first file has begun. */
async function runBeside(code: string) {
  const file = join(dir, "beside.ts");
  // Once it listens for such errors, and so before it has read its input.
  writeFileSync(
    file,
    `process.on("newListener", (event) => { if (/^un(?:caught|handled)/.test(event)) setImmediate(() => { ${code}; }); });`,
  );
  const child = Bun.spawn([process.execPath, "--preload", file, MAIN, "hook", "stop"], {
    cwd: dir,
    env: { HOME: dir, PATH: process.env.PATH },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    timeout: 4_000,
    killSignal: "SIGKILL",
  });
  const [exitCode, stdout, stderr] = await Promise.all([
    child.exited,
    child.stdout.text(),
    child.stderr.text(),
  ]);
  return { exitCode, stdout, stderr };
}

test.each([
  ["an error that nobody catches", 'throw new Error("stray")'],
  ["a promise that nobody waits for", 'Promise.reject(new Error("stray"))'],
])("%s ends a hook with 0, and says nothing", async (_what, code) => {
  expect(await runBeside(code)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
});
