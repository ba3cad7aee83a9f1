import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Talk, writeSession } from "../support/projects.ts";
import { Sandbox } from "../support/sandbox.ts";
import { makeProject } from "./project.ts";

const TALK: Talk = [["Which queue do we use for mails?", "Postgres with SKIP LOCKED, no broker."]];
const SETTINGS = '{ "model": "opus" } // mine\n';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.create({ model: "quick" });
});
afterEach(() => sandbox[Symbol.asyncDispose]());

function move(from: string, name = "postbox"): string {
  const to = join(sandbox.root, name);
  renameSync(from, to);
  return to;
}

/** A directory without a project, in which nobody's home is. */
function elsewhere(): string {
  const directory = join(sandbox.root, "elsewhere");
  mkdirSync(directory);
  return directory;
}

async function succeed(cwd: string, ...args: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await sandbox.run(args, { cwd });
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return stdout;
}

describe("settings of a project that was moved", () => {
  beforeEach(async () => {
    await sandbox[Symbol.asyncDispose]();
    // An uninstall removes what was unpacked.
    sandbox = await Sandbox.create({ cacheDir: "copy" });
  });

  test.each([
    ["--adopt", false],
    ["--adopt-history --yes", true],
  ])("are restored by uninstall after %s", async (option, losesPointer) => {
    const moved = move(await makeProject(sandbox, "mail", TALK));
    if (losesPointer) rmSync(join(moved, ".mementor"), { recursive: true });
    await succeed(moved, "enable", "--no-history", ...option.split(" "));
    expect(existsSync(join(moved, ".claude"))).toBe(true);
    await succeed(moved, "uninstall");
    expect(existsSync(join(moved, ".claude"))).toBe(false);
  });

  test("are restored byte for byte where they were there before, twice moved", async () => {
    const project = await makeProject(sandbox, "mail", TALK);
    await succeed(project, "disable");
    mkdirSync(join(project, ".claude"));
    writeFileSync(join(project, ".claude", "settings.json"), SETTINGS);
    await succeed(project, "enable", "--no-history", "--scope", "project");
    const first = move(project, "first");
    await succeed(first, "enable", "--no-history", "--adopt");
    const second = move(first, "second");
    await succeed(second, "enable", "--no-history", "--adopt");
    await succeed(elsewhere(), "uninstall");
    expect(readFileSync(join(second, ".claude", "settings.json"), "utf8")).toBe(SETTINGS);
  });

  test("of other agents stay recorded: disable takes their hooks out", async () => {
    const project = await makeProject(sandbox, "mail", TALK);
    await succeed(project, "enable", "--no-history", "--for", "gemini");
    const moved = move(project);
    await succeed(moved, "enable", "--no-history", "--adopt");
    const hooks = join(sandbox.home, ".gemini", "settings.json");
    expect(existsSync(hooks)).toBe(true);
    await succeed(moved, "disable");
    expect(existsSync(hooks)).toBe(false);
  });

  test("are found by uninstall without adoption: in the current directory, and where sessions were held", async () => {
    const moved = move(await makeProject(sandbox, "mail", TALK), "here");
    const used = move(await makeProject(sandbox, "post", TALK), "used");
    writeSession(sandbox, used, TALK);
    expect(await succeed(moved, "uninstall", "--dry-run")).toContain(used);
    await succeed(moved, "uninstall");
    for (const path of [moved, used])
      expect({ path, exists: existsSync(join(path, ".claude")) }).toEqual({ path, exists: false });
  });

  test("that no one can find are named by the place where the project was", async () => {
    const before = await makeProject(sandbox, "mail", TALK);
    move(before);
    const stdout = await succeed(sandbox.project, "uninstall");
    expect(stdout).toContain(`${before} is gone`);
    expect(stdout).toContain("mementor disable");
  });
});

describe("a project that was moved is explained in the same words everywhere", () => {
  const NEXT = "To take over its memory: mementor enable --adopt";

  test.each([
    [["search", "mails"]],
    [["recent"]],
    [["told"]],
    [["note", "x"]],
    [["ingest"]],
    [["enable"]],
    [["told", "--log"]],
  ])("by %p, which refuses", async (args) => {
    const before = await makeProject(sandbox, "mail", TALK);
    const { stderr, exitCode } = await sandbox.run(args, { cwd: move(before) });
    expect({ stderr, exitCode }).toEqual({
      stderr: `mementor: This project was at ${before}, which no longer exists.\n  ${NEXT}\n`,
      exitCode: 1,
    });
  });

  test("by status, doctor, bare mementor and enable --dry-run", async () => {
    const before = await makeProject(sandbox, "mail", TALK);
    const moved = move(before);
    const gone = `This project was at ${before}, which no longer exists.`;
    const status = await succeed(moved, "status");
    expect(status.split("\n").slice(0, 2)).toEqual([`Working   no. ${gone}`, `Next      ${NEXT}`]);
    const checks = JSON.parse((await sandbox.run(["doctor", "--json"], { cwd: moved })).stdout);
    expect(checks.find(({ name }: { name: string }) => name === "trust")).toMatchObject({
      message: gone,
      advice: NEXT,
    });
    expect(await succeed(moved)).toContain(`${gone}\n${NEXT}\n`);
    const preview = await succeed(moved, "enable", "--dry-run");
    expect(preview.split("\n").slice(0, 2)).toEqual([`Moved     ${gone}`, `Next      ${NEXT}`]);
    expect(preview).toContain(`mementor: ${moved}/.mementor/pointer.json (is up to date, stays as it is)\n`);
    expect(preview).toEndWith("Nothing was changed.\n");
    expect(preview).not.toContain("--adopt-history");
    expect((await sandbox.run(["recent"], { cwd: moved })).exitCode).toBe(1);
  });

  test("--adopt-from names what it takes once", async () => {
    const before = await makeProject(sandbox, "mail", TALK);
    const stdout = await succeed(move(before), "enable", "--no-history", "--adopt-from", before);
    expect(stdout.match(/^Takes/gm)).toHaveLength(1);
  });
});

test("before enable, errors name the project and not a database in it", async () => {
  const { stderr, exitCode } = await sandbox.run(["search", "mails"]);
  expect({ stderr, exitCode }).toEqual({
    stderr: `mementor: mementor is not enabled in ${sandbox.project}.\n  Run "mementor enable" there.\n`,
    exitCode: 1,
  });
});

test("a project that is enabled with all others and has no memory yet is told apart", async () => {
  await succeed(elsewhere(), "enable", "--scope", "user", "--no-history");
  const { stderr } = await sandbox.run(["recent"]);
  expect(stderr).toStartWith(
    `mementor: ${sandbox.project} has no memory yet.\n  The first conversation makes one`,
  );
});

test("resume says that the directory of a session is gone", async () => {
  const before = await makeProject(sandbox, "mail", TALK);
  const moved = move(before);
  await succeed(moved, "enable", "--no-history", "--adopt");
  const printed = await succeed(moved, "show", "--resume", "1");
  expect(printed).toStartWith(
    `# The directory is gone. Claude Code finds the session only there: make it again first.\ncd ${before} && claude --resume `,
  );
  expect(JSON.parse(await succeed(moved, "show", "--resume", "1", "--json")).directory_is_gone).toBe(true);
});
