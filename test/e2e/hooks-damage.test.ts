import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { BINARY, IMPATIENT, Sandbox } from "../support/sandbox.ts";
import { ingestSample } from "./sample.ts";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await Sandbox.create({ cacheDir: "copy" });
  await enabled(sandbox);
  await ingestSample(sandbox);
});

afterAll(() => sandbox[Symbol.asyncDispose]());

function ask() {
  const prompt = "why does the link checker wait per host with a token bucket?";
  return sandbox.hook("user-prompt-submit", {
    session_id: crypto.randomUUID(),
    cwd: sandbox.project,
    prompt,
  });
}

function cacheFile(name: string): string {
  const root = join(sandbox.home, ".cache", "mementor");
  const found = readdirSync(root).flatMap((version) =>
    readdirSync(join(root, version))
      .filter((file) => file.startsWith(name) && !file.endsWith(".verified"))
      .map((file) => join(root, version, file)),
  );
  expect(found).toHaveLength(1);
  return found[0] ?? "";
}

/** Add a line for each file whose damage could end the process. */
test.each([
  ["libonnxruntime", "libonnxruntime"],
  ["the binding", "onnxruntime_binding.node"],
  ["sqlite-vec", "vec0.so"],
])("%s, damaged at the same size, ends no hook, and is written anew", async (_what, name) => {
  const file = cacheFile(name);
  const whole = readFileSync(file);
  const damaged = Buffer.from(whole);
  randomBytes(whole.length >> 1).copy(damaged, whole.length >> 2);
  writeFileSync(file, damaged);
  const { exitCode, stderr } = await ask();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  // A hook may run out of time while it writes 45 MB; a command has the time.
  await sandbox.run(["search", "token bucket"]);
  expect(readFileSync(file).equals(whole)).toBe(true);
  // What three sessions were told in vain gives way to what else was said of the bucket.
  expect((await ask()).stdout).toMatch(/token bucket|the same bucket/);
});

test.each([
  ["one line again and again", "yes '{\"a\":'"],
  ["zeros", "cat /dev/zero"],
])("input of %s without an end is given up", async (_what, source) => {
  const child = Bun.spawn(["/bin/sh", "-c", `${source} | "$0" hook stop; echo "exit $?"`, BINARY], {
    cwd: sandbox.project,
    env: sandbox.env(IMPATIENT),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect({ stdout, stderr }).toEqual({ stdout: "exit 0\n", stderr: "" });
});
