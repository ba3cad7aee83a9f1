import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runIn } from "../../support/host.ts";

let root: string;

beforeAll(async () => {
  root = mkdtempSync("/tmp/mementor-advice-");
  mkdirSync(join(root, "home"));
  mkdirSync(join(root, "off", ".git"), { recursive: true });
  mkdirSync(join(root, "project", ".git"), { recursive: true });
  writeFileSync(join(root, "project", ".git", "HEAD"), "ref: refs/heads/main\n");
  await run(["enable", "--no-history"]);
  await run(["note", "Dates are UTC"]);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const run = (argv: readonly string[], env: Record<string, string> = {}, project = "project") =>
  runIn({
    argv,
    cwd: join(root, project),
    homeDir: join(root, "home"),
    now: new Date("2026-11-22T12:00:00Z"),
    env: { NO_COLOR: "1", TZ: "UTC", ...env },
  });
const json = async (...argv: string[]) => JSON.parse((await run([...argv, "--json"])).stdout);

test("a note that is there already is not stored again", async () => {
  expect((await run(["note", " Dates are UTC"])).stdout).toBe(
    "Already noted, as turn 1.\nTo read it: mementor show 1. To remove it: mementor forget 1\n",
  );
  expect(await json("note", "Dates are UTC")).toMatchObject({ turn_id: 1, new: false });
  expect((await json("recent", "--from", "note")).turns).toHaveLength(1);
});

test("config get --user prints what the user's own file has", async () => {
  await run(["config", "set", "search.k", "7", "--user"]);
  await run(["config", "set", "search.k", "9"]);
  expect((await run(["config", "get", "search.k"])).stdout).toBe("9\n");
  expect((await run(["config", "get", "search.k", "--user"])).stdout).toBe("7\n");
});

test("the model of new memories is one that is there", async () => {
  const what = 'embedding.model must be the id of a model that "mementor model list" shows, not "nosuch".';
  expect((await run(["config", "set", "embedding.model", "nosuch"])).stderr).toStartWith(
    `mementor: ${what}\n`,
  );
  const { stdout } = await run(["status"], { MEMENTOR_EMBEDDING_MODEL: "nosuch" });
  expect(stdout).toMatch(/^Next .*\(1 mistake in the settings\)$/m);
});

test("who removes the model in use is told another one to use", async () => {
  const { stderr } = await run(["model", "remove", "bge-small-en-v1.5-int8"]);
  expect(stderr).toContain('Switch to another model first, e.g. "mementor model use multilingual".');
});

test("log says whether nothing is logged, or only nothing that severe", async () => {
  expect((await run(["told", "--log"], {}, "off")).stderr).toContain("mementor is not enabled in");
  const log = join((await json("enable", "--no-history")).memory_directory, "log");
  mkdirSync(log, { recursive: true });
  const line = { time: "2026-11-22T11:00:00.000Z", level: "info", event: "ingest" };
  writeFileSync(join(log, "mementor.jsonl"), `${JSON.stringify(line)}\n`);
  expect((await run(["told", "--log", "--level", "warn"])).stderr).toStartWith(
    "Nothing of level warn or more severe is logged in /",
  );
});

test.each(["status", "doctor"])("%s --db says that there is no such file", async (command) => {
  const { exitCode, stdout, stderr } = await run([command, "--db", "/nosuch.db"]);
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toStartWith("mementor: No database at /nosuch.db.\n");
});

test("status says that the program of the hooks is gone, and what repairs it", async () => {
  const program = join(root, "home", ".local", "share", "mementor", "bin", "mementor");
  expect(existsSync(program)).toBe(true);
  rmSync(program);
  const { stdout } = await run(["status"]);
  expect(stdout).toMatch(/^Working +no: the program that the hooks start is not there$/m);
  expect(stdout).toMatch(/^Next +mementor doctor --fix$/m);
});

test.each([
  [["sync", ""], "mementor: <folder|action> must not be empty.\n"],
  [["report", "--card", "c.png"], "mementor: A card is a picture in SVG.\n"],
  [
    ["report", "--card", "-", "--since", "2030-01-01"],
    "mementor: There is nothing to draw: no turn fits since 1 Jan 2030.\n",
  ],
  [
    ["recent", "--all-projects", "--db", "x.db"],
    "mementor: --db names one memory, and --all-projects reads those of all projects.\n",
  ],
  [["files", "--agent", "x"], 'mementor: There is no subagent "x".\n'],
  [["show", "0"], "mementor: There is no turn 0.\n  Turns are numbered from 1 on.\n"],
])("%j says what is wrong with it", async (argv, message) => {
  expect((await run(argv)).stderr).toStartWith(message);
});

test("with -C, other projects are named by their whole paths", async () => {
  mkdirSync(join(root, "elsewhere", ".git"), { recursive: true });
  const { stdout } = await run(["recent", "--all-projects", "-C", "../elsewhere"]);
  expect(stdout).toContain(`mementor -C ${join(root, "project")} show <turn>`);
  expect((await run(["recent", "--all-projects"], {}, "elsewhere")).stdout).toContain(
    "mementor -C ../project show <turn>",
  );
});

test("help help shows the help", async () => {
  expect((await run(["help", "help"])).stdout).toBe((await run(["help"])).stdout);
});

test("a pipe gets every character also without a locale; a terminal gets ASCII", async () => {
  const argv = ["note", "Müll – 캐시"];
  await run(argv);
  const [piped, shown] = [undefined, 80].map((columns) =>
    runIn({
      ...{ argv: ["recent", "-n", "1", "--from", "note"], cwd: join(root, "project") },
      ...{ homeDir: join(root, "home"), now: new Date("2026-11-22T12:00:00Z") },
      ...{
        env: { NO_COLOR: "1", NO_PAGER: "1", TZ: "UTC", LANG: "C" },
        ...(columns !== undefined && { columns }),
      },
    }),
  );
  expect((await piped)?.stdout).toContain("Müll – 캐시");
  expect((await shown)?.stdout).toContain("Mull - ????");
});
