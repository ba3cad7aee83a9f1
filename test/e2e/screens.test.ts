import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { Sandbox } from "../support/sandbox.ts";
import { onTerminal } from "../support/terminal.ts";
import { workerDone } from "./client.ts";

const FIXTURES = join(import.meta.dir, "..", "..", "fixtures");
const SCREENS = join(FIXTURES, "screens");
const SAMPLE = join(FIXTURES, "transcripts", "sample");
const CLOCK = { MEMENTOR_NOW: "2026-11-22T12:00:00Z", TZ: "UTC" };
const PLAIN = { ...CLOCK, NO_COLOR: "1", NO_PAGER: "1" };

/** What is compared here as well; every screen is in `test/cli/commands/screens.test.ts`. */
const COMMANDS: Record<string, string[]> = {
  home: [],
  search: ["search", "why did we choose sqlite", "-k", "5"],
  recent: ["recent", "-n", "8"],
  sessions: ["sessions", "-n", "8"],
  told: ["told"],
};

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await Sandbox.create();
  await enabled(sandbox);
  const { exitCode } = await sandbox.run(["ingest", SAMPLE, "--text-only"]);
  expect(exitCode).toBe(0);
  const prompt =
    "Why do we keep the bookmarks in SQLite with FTS5 instead of one JSON file, and what about LMDB on Windows?";
  await sandbox.hook(
    "user-prompt-submit",
    { session_id: "s", cwd: sandbox.project, prompt },
    { env: { ...CLOCK, PATH: `${sandbox.home}/.local/share/mementor/bin:/usr/bin:/bin` } },
  );
  await sandbox.run(["told"]);
});
afterAll(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

/** Compares with `fixtures/screens/<name>.txt`; `UPDATE_GOLDEN=1` writes it anew. */
function compare(name: string, screen: string): void {
  const file = join(SCREENS, `${name}.txt`);
  const stable = screen.replaceAll(sandbox.root, "/tmp/x").replace(/\b\d+ ms\b/g, "12 ms");
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, stable);
  expect(stable).toBe(existsSync(file) ? readFileSync(file, "utf8") : "");
}

test("the binary shows on a terminal what the commands write", async () => {
  const { screen, exitCode } = await onTerminal(sandbox, COMMANDS.recent ?? [], { columns: 80, env: PLAIN });
  expect([exitCode, screen]).toEqual([0, readFileSync(join(SCREENS, "recent.80.txt"), "utf8")]);
});

test("five results fit a screen of 24 lines", () => {
  const lines = readFileSync(join(SCREENS, "search.80.txt"), "utf8").trimEnd().split("\n");
  expect(lines.filter((line) => /^\d+ {2}\S/.test(line))).toHaveLength(5);
  expect(lines.length).toBeLessThan(24);
});

test("colours are there on a terminal, and not with NO_COLOR or in a pipe", async () => {
  const args = ["sessions", "-n", "2"];
  const coloured = await onTerminal(sandbox, args, { env: { ...CLOCK, NO_PAGER: "1" } });
  expect(coloured.screen).toContain("\x1b[");
  expect((await onTerminal(sandbox, args, { env: PLAIN })).screen).not.toContain("\x1b[");
  expect((await sandbox.run(args, { env: CLOCK })).stdout).not.toContain("\x1b[");
});

test("a pipe gets the same without a limit of width", async () => {
  for (const name of ["search", "recent"])
    compare(`${name}.pipe`, (await sandbox.run(COMMANDS[name] ?? [], { env: CLOCK })).stdout);
});

test.each<Record<string, string>>([{ LC_ALL: "C" }, { LC_ALL: "POSIX" }, { LANG: "" }])(
  "with %j everything is in ASCII and as wide as before, but for JSON",
  async (env) => {
    for (const name of ["search", "recent", "sessions", "told", "home"]) {
      const { screen } = await onTerminal(sandbox, COMMANDS[name] ?? [], { env: { ...PLAIN, ...env } });
      expect(screen).toMatch(/^[\n\x20-\x7e]*$/);
      expect(screen.split("\n").filter((line) => line.length > 80)).toEqual([]);
      if (env.LC_ALL === "C") compare(`${name}.ascii`, screen);
    }
    const { stdout } = await sandbox.run(["recent", "--json"], { env: { ...CLOCK, ...env } });
    expect(JSON.parse(stdout).turns[0].first_words).toMatch(/[^\x20-\x7e]/);
  },
);

test("a clock that is no time is an error for people, and nothing to a hook", async () => {
  const env = { MEMENTOR_NOW: "yesterday" };
  const { exitCode, stderr } = await sandbox.run(["recent"], { env });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 64,
    stderr:
      'mementor: MEMENTOR_NOW is not a time: "yesterday".\n  Write it like 2026-03-04T10:22:00Z, or unset it.\n',
  });
  const prompt =
    "Why do we keep the bookmarks in SQLite with FTS5 instead of one JSON file, and what about LMDB on Windows?";
  const hook = await sandbox.hook(
    "user-prompt-submit",
    { session_id: "t", cwd: sandbox.project, prompt },
    { env },
  );
  expect([hook.exitCode, hook.stderr, hook.stdout.includes("mementor-memory")]).toEqual([0, "", true]);
});

test("outside of a project a bare mementor is a short help", async () => {
  const { stdout, exitCode } = await sandbox.run([], { cwd: sandbox.home, env: CLOCK });
  expect(exitCode).toBe(0);
  compare("help.short", stdout);
});
