import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runCli } from "../../../src/cli/run.ts";
import { hostIn } from "../../support/host.ts";

const NOTE = "We keep the API synchronous, because clients retry.";

let root: string;
beforeAll(() => {
  root = mkdtempSync("/tmp/mementor-streams-");
  for (const name of ["home", "one", "other", "temp"]) mkdirSync(join(root, name));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function run(name: string, argv: readonly string[], input = "") {
  const [cwd, homeDir] = [join(root, name), join(root, "home")];
  const { host, written } = hostIn({ argv, cwd, homeDir, now: new Date("2026-03-04T12:00:00Z") });
  const bytes = Buffer.from(input);
  const chunks = async function* () {
    yield bytes.subarray(0, 10);
    yield bytes.subarray(10);
  };
  const exitCode = await runCli({ ...host, tempDir: join(root, "temp"), stdin: { ...host.stdin, chunks } });
  return { exitCode, ...written };
}

test("a dash is the standard output of an export, and the standard input of an import", async () => {
  for (const name of ["one", "other"]) {
    mkdirSync(join(root, name, ".git"));
    await Bun.write(join(root, name, ".git", "HEAD"), "ref: refs/heads/main\n");
    await run(name, ["enable", "--no-history"]);
  }
  await run("one", ["note", NOTE]);
  const { stdout } = await run("one", ["export"]);
  expect(stdout).toContain(NOTE);
  expect(await run("one", ["export", "-o", "-"])).toEqual({ exitCode: 0, stdout, stderr: "" });
  expect(existsSync(join(root, "one", "-"))).toBe(false);

  expect((await run("other", ["import", "-", "--dry-run"], stdout)).stdout).toContain("1 note");
  expect(await run("other", ["import", "-", "--text-only"], stdout)).toMatchObject({ exitCode: 0 });
  expect((await run("other", ["recent"])).stdout).toContain(NOTE);
  expect(readdirSync(join(root, "temp")).filter((name) => name.includes("import"))).toEqual([]);
});

const MAIN = join(import.meta.dir, "../../../src/main.ts");
const NOT_WRITTEN =
  "mementor: Cannot write to standard output: the disk is full.\n  Free some space and try again.\n";

test.skipIf(!existsSync("/dev/full")).each([
  [["--version"], 1, NOT_WRITTEN],
  [["licenses"], 1, NOT_WRITTEN],
  [["hook", "session-start"], 0, ""],
])("on a full disk %j ends with %d", async (argv, exitCode, stderr) => {
  const child = Bun.spawn([process.execPath, MAIN, ...argv], {
    env: { PATH: process.env.PATH, HOME: join(root, "home") },
    cwd: join(root, "one"),
    stdin: "ignore",
    stdout: openSync("/dev/full", "w"),
    stderr: "pipe",
  });
  expect({ stderr: await child.stderr.text(), exitCode: await child.exited }).toEqual({ exitCode, stderr });
});

test("who stops reading gets no error", async () => {
  const command = '"$0" "$1" licenses | head -1; echo "${PIPESTATUS[0]}"';
  const child = Bun.spawn(["bash", "-c", command, process.execPath, MAIN], { stderr: "pipe" });
  const [stdout, stderr] = [await child.stdout.text(), await child.stderr.text()];
  expect({ stdout, stderr }).toEqual({
    stdout: "In addition to its own code (MIT), mementor contains:\n0\n",
    stderr: "",
  });
});
