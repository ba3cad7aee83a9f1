import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../support/sandbox.ts";
import { ingestSample } from "./sample.ts";

const SQLITE_SESSION = "1b7c0a52-6f1e-4c7d-9a35-2d0e8f41c601";
const COMMIT = "3f9d2c1";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await Sandbox.create();
  await ingestSample(sandbox);
  for (const directory of ["src/db", ".git/objects", ".git/refs"])
    mkdirSync(join(sandbox.project, directory), { recursive: true });
});

afterAll(() => sandbox[Symbol.asyncDispose]());

async function json(args: string[], cwd = sandbox.project) {
  const { stdout, stderr, exitCode } = await sandbox.run([...args, "--json"], { cwd });
  expect({ args, stderr, exitCode }).toEqual({ args, stderr: "", exitCode: 0 });
  return JSON.parse(stdout);
}

const ids = (rows: { session_id: string }[]) => [...new Set(rows.map(({ session_id }) => session_id))].sort();

async function exportedSessions(filter: string[], cwd?: string) {
  const { stdout } = await sandbox.run(["export", ...filter], cwd === undefined ? {} : { cwd });
  return ids(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === "turn"),
  );
}

describe("filters, on the compiled binary", () => {
  test("an abbreviated commit finds in search what it finds in sessions", async () => {
    const commit = ["--commit", COMMIT.slice(0, 4).toUpperCase()];
    const { results } = await json(["search", "commit and open a pr", ...commit]);
    const { sessions } = await json(["sessions", ...commit]);
    expect([ids(results), ids(sessions)]).toEqual([[SQLITE_SESSION], [SQLITE_SESSION]]);
  });

  test("a time with an offset is the same moment in every list", async () => {
    // 09:58 in Amsterdam is 08:58 in London, when the turn began.
    const span = ["--since", "2026-02-23T09:58:01.022+01:00", "--until", "2026-02-23T09:58:01.022+01:00"];
    const { turns } = await json(["recent", ...span]);
    const { results } = await json(["search", "commit and open a pr", ...span]);
    const { commits } = await json(["commits", ...span]);
    const at = { time: "2026-02-23T08:58:01.022Z" };
    expect([turns, results, commits]).toMatchObject([[at], [at], [at]]);
  });

  test.each([
    ["a branch", ["--branch", "feat/store"]],
    ["a day", ["--since", "2026-03-20", "--until", "2026-03-20"]],
    ["a session by its start", ["--session", "1b7c0a52"]],
    ["a pull request", ["--pr", "4"]],
    ["a commit", ["--commit", "9ac3"]],
    ["a file", ["--file", "schema.ts"]],
    ["a directory", ["--file", "src/"]],
    ["people", ["--human"]],
    ["what there is not", ["--until", "2020"]],
  ])("%s means the same sessions in every list", async (_, filter) => {
    const { sessions } = await json(["sessions", "-n", "100", ...filter]);
    const { turns } = await json(["recent", "-n", "1000", ...filter]);
    const { commits } = await json(["commits", "-n", "100", ...filter]);
    const wanted = ids(sessions);
    expect(await exportedSessions(filter)).toEqual(wanted);
    expect(ids(turns)).toEqual(wanted);
    expect(ids(commits).filter((id) => !wanted.includes(id))).toEqual([]);
  });

  test("a path is the end of a longer one, unless it says where it starts", async () => {
    const below = join(sandbox.project, "src", "db");
    const store = await exportedSessions(["--file", "src/db/schema.ts"]);
    expect(store).not.toEqual([]);
    for (const [path, cwd] of [
      ["schema.ts", sandbox.project],
      ["db/schema.ts", sandbox.project],
      ["./schema.ts", below],
      ["../db/schema.ts", below],
      [join(below, "schema.ts"), sandbox.project],
    ] as const)
      expect([path, await exportedSessions(["--file", path], cwd)]).toEqual([path, store]);
  });

  test.each([
    ["--file", "./schema.ts", 'no file or directory "./schema.ts".\n  Nearest: src/db/schema.ts'],
    ["--file", "chema.ts", "Nearest: src/db/schema.ts"],
    ["--branch", "feat/stroe", 'no branch "feat/stroe".\n  Nearest: feat/store'],
    ["--session", "feedface", 'There is no session "feedface".\n  Known ones include: '],
  ])("%s %s is said to be unknown, with the nearest", async (option, value, message) => {
    for (const list of ["sessions", "search x", "commits", "report --text"]) {
      const { exitCode, stdout, stderr } = await sandbox.run([...list.split(" "), option, value, "--json"]);
      expect([list, exitCode, stdout]).toEqual([list, 1, ""]);
      expect([list, stderr]).toEqual([list, expect.stringContaining(message)]);
    }
  });

  test("files, pull requests, related sessions and statistics take them too", async () => {
    const { files } = await json(["files", "--session", "1b7c0a52", "-n", "100"]);
    const all = await json(["files", "-n", "100"]);
    expect(files.length).toBeGreaterThan(0);
    expect(files.length).toBeLessThan(all.files.length);
    expect((await json(["files", "src/db/schema.ts", "--until", "2020"])).history).toEqual([]);
    expect((await json(["commits", "--prs", "--branch", "feat/store"])).prs).toMatchObject([
      { pr_number: 4 },
    ]);
    expect((await json(["commits", "--prs", "--commit", COMMIT])).prs).toMatchObject([{ pr_number: 4 }]);
    expect((await json(["show", "--turns", "1b7c0a52", "--commit", COMMIT])).turns).toHaveLength(1);
    expect(await json(["show", "--related", "src/db/schema.ts", "--until", "2020"])).toMatchObject({
      sessions: [],
      total: 0,
    });
    const { total } = await json(["sessions"]);
    expect(await json(["show", "--related", "src/db/schema.ts", "-n", "2"])).toMatchObject({ total });
    const [{ session_id: id }] = (await json(["sessions", "-n", "1"])).sessions;
    expect((await json(["show", "--related", id])).total).toBe(total - 1);
    const stats = await json(["report", "--text", "--session", "1b7c0a52"]);
    const turns = stats.timeline.reduce((sum: number, period: { turns: number }) => sum + period.turns, 0);
    expect([turns, stats.recall]).toEqual([6, null]);
  });

  test.each<string[][]>([
    [["search", "x", "--commit", "abc"]],
    [["sessions", "--commit", "HEAD"]],
    [["recent", "--commit", "xyz1"]],
    [["export", "--pr", "0"]],
    [["recent", "--since", "2026-03-02", "--until", "2026-03-01"]],
    [["report", "--text", "--since", "soon"]],
    [["files", "--role", "poet"]],
    [["show", "--related", "src/db/schema.ts", "--human", "--automated"]],
  ])("%p is wrong usage", async (args) => {
    const { exitCode, stdout, stderr } = await sandbox.run(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 64, stdout: "" });
    expect(stderr).not.toBe("");
  });
});
