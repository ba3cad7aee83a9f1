import { afterEach, beforeEach, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleHistory } from "../../support/history.ts";
import { runIn } from "../../support/host.ts";

const NOW = new Date("2026-11-22T12:00:00Z");

let root = "";
let home = "";
let project = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "mementor-first-hour-")));
  [home, project] = [join(root, "home"), join(root, "project")];
  for (const directory of [home, project]) mkdirSync(directory);
  execFileSync("git", ["-C", project, "init", "-q"]);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const mementor = async (...argv: string[]) => {
  const env = argv[0]?.includes("=")
    ? { [argv[0].split("=")[0] ?? ""]: argv.shift()?.split("=")[1] ?? "" }
    : {};
  const { stdout, stderr, exitCode } = await runIn({ argv, cwd: project, homeDir: home, now: NOW, env });
  return { exitCode, text: (stdout + stderr).replaceAll(root, "") };
};

test("ingest makes no memory where mementor is not enabled, unless it is told what to read", async () => {
  sampleHistory(home, project);
  for (const options of [[], ["--now"]])
    expect(await mementor("ingest", ...options)).toEqual({
      exitCode: 1,
      text: 'mementor: mementor is not enabled in /project.\n  Run "mementor enable" there.\n',
    });
  expect(existsSync(join(project, ".mementor"))).toBe(false);
});

test("ingest says that a file is no transcript, and makes no memory for it", async () => {
  writeFileSync(join(project, "passwd"), "root:x:0:0::/root:/bin/sh\n");
  mkdirSync(join(project, "empty"));
  expect(await mementor("ingest", "passwd")).toMatchObject({
    exitCode: 1,
    text: expect.stringContaining("Nothing was read: passwd is no transcript of a coding agent."),
  });
  expect(await mementor("ingest", "empty")).toMatchObject({
    exitCode: 1,
    text: expect.stringContaining("Nothing was read: there is no transcript in empty."),
  });
  expect(existsSync(join(project, ".mementor"))).toBe(false);
});

test("an option and its opposite exclude each other", async () => {
  expect(await mementor("enable", "--history", "--no-history")).toEqual({
    exitCode: 64,
    text: 'mementor: --history and --no-history exclude each other.\n  Run "mementor enable --help" for the options.\n',
  });
});

test("disable says what it would take out, and changes nothing", async () => {
  await mementor("enable", "--no-history");
  const file = join(project, ".claude/settings.local.json");
  const before = readFileSync(file, "utf8");
  expect((await mementor("disable", "--dry-run")).text).toBe(`Project   /project
Hooks     /project/.claude/settings.local.json (would be taken out)
Git       /project/.git/info/exclude (would be taken out)
Memory    kept; delete it with --purge
Nothing was changed.
`);
  expect(readFileSync(file, "utf8")).toBe(before);
  expect((await mementor("disable", "--dry-run", "--purge")).text).toContain(
    "Memory    would be deleted for good\n",
  );
  expect((await mementor("disable")).text).toContain("settings.local.json (file removed)\n");
});

test("enable counts the sessions that status counts: those with turns", async () => {
  sampleHistory(home, project);
  const folder = join(home, ".claude/projects", project.replace(/[^a-zA-Z0-9]/g, "-"));
  const empty = { type: "summary", summary: "Nothing was said", leafUuid: "none" };
  const named = {
    type: "custom-title",
    customTitle: "Empty",
    sessionId: "eeee1111-0000-4000-8000-000000000001",
  };
  writeFileSync(
    join(folder, "eeee1111-0000-4000-8000-000000000001.jsonl"),
    `${JSON.stringify(empty)}\n${JSON.stringify({ ...named, cwd: project })}\n`,
  );
  const { text } = await mementor("enable", "--yes");
  const [, read] = /turns? read from (\d+) of \d+ sessions, the rest copies or empty,/.exec(text) ?? [];
  const [, held] = /turns of (\d+) session/.exec((await mementor("status")).text) ?? [];
  expect([read, held]).toEqual([held, read]);
  expect(read).toBeDefined();
});

test("a value is printed as it is, also on a terminal without UTF-8", async () => {
  await mementor("enable", "--no-history");
  await mementor("config", "set", "exclude.paths", "ü/**");
  const argv = ["config", "get", "exclude.paths"];
  const shown = await runIn({ argv, cwd: project, homeDir: home, now: NOW, columns: 80, env: { LANG: "C" } });
  expect(shown.stdout).toBe('["ü/**"]\n');
});

test("what is ignored is refused, or named", async () => {
  expect((await mementor("recent", "-C", ".", "-C", "..")).text).toContain("-C can be given only once.");
  await mementor("enable", "--no-history");
  expect((await mementor("MEMENTOR_SEARCH_K=zz", "config", "get", "search.k")).text).toBe(
    '10\nIgnored MEMENTOR_SEARCH_K: search.k: must be a whole number from 1 to 100, not "zz"\n',
  );
});
