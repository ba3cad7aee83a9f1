import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020";
import { Sandbox } from "../support/sandbox.ts";

const FIXTURES = join(import.meta.dir, "..", "..", "fixtures");
const SAMPLE = join(FIXTURES, "transcripts", "sample");

let here: Sandbox;
let there: Sandbox;
let file: string;

const ajv = new Ajv2020({ allErrors: true, formats: { "date-time": true } });

function problems(name: string, value: unknown): unknown {
  const schema = JSON.parse(readFileSync(join(FIXTURES, "schemas", `${name}.schema.json`), "utf8"));
  return ajv.validate(schema, value) ? [] : ajv.errors;
}

async function json(sandbox: Sandbox, name: string, ...args: string[]) {
  const { stdout, exitCode } = await sandbox.run([name, ...args, "--json"]);
  expect(exitCode).toBe(0);
  const value = JSON.parse(stdout);
  expect(problems(name, value)).toEqual([]);
  return value;
}

beforeAll(async () => {
  here = await Sandbox.create();
  there = await Sandbox.create();
  file = join(here.root, "memory.jsonl");
  await here.run(["ingest", SAMPLE, "--text-only"]);
});

afterAll(async () => {
  await here[Symbol.asyncDispose]();
  await there[Symbol.asyncDispose]();
});

describe("a memory that is carried elsewhere", () => {
  test("is written as lines that fit their schema, closed to others", async () => {
    expect(await json(here, "export", "-o", file, "--as", "ada")).toMatchObject({ turns: 62, sessions: 12 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const lines = readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.flatMap((line) => problems("export-line", line))).toEqual([]);
    expect([lines.at(0).type, lines.at(-1)]).toEqual([
      "mementor-export",
      { type: "end", turns: 62, sessions: 12 },
    ]);
  });

  test("is found there, and marked as foreign in every answer", async () => {
    const report = await json(there, "import", file, "--text-only");
    expect(report).toMatchObject({ origin: "ada", turns: { inserted: 62 }, sessions: 12, complete: true });
    const { results } = JSON.parse(
      (await there.run(["search", "sqlite bookmarks", "--mode", "keyword", "--json"])).stdout,
    );
    const origins = results.map(({ foreign }: { foreign: unknown }) => foreign);
    expect(origins.length).toBeGreaterThan(3);
    expect(new Set(origins)).toEqual(new Set(["ada"]));
    for (const args of [
      ["search", "sqlite", "--mode", "keyword"],
      ["show", "1"],
      ["sessions"],
      ["show", "--turns", "1b7c0a52"],
    ])
      expect([args, (await there.run(args)).stdout.includes("from ada")]).toEqual([args, true]);
  });

  test("changes nothing when it is imported again, there or here", async () => {
    expect((await json(there, "import", file, "--text-only")).turns).toEqual({
      inserted: 0,
      updated: 0,
      known: 62,
      own: 0,
      forgotten: 0,
    });
    expect((await json(here, "import", file, "--text-only")).turns).toEqual({
      inserted: 0,
      updated: 0,
      known: 0,
      own: 62,
      forgotten: 0,
    });
  });

  test("comes back out of there as it went in", async () => {
    const back = join(there.root, "back.jsonl");
    await there.run(["export", "-o", back]);
    const body = (path: string) =>
      readFileSync(path, "utf8")
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((line) => {
          const { foreign: _, turn_id: __, ...rest } = JSON.parse(line);
          return rest;
        });
    expect(body(back).length).toBe(body(file).length);
    const whole = (path: string) =>
      body(path)
        .filter(({ type }) => type === "turn")
        .map(({ session_id, text }) => [session_id, text]);
    expect(whole(back)).toEqual(whole(file));
  });

  test("gets vectors, and becomes own where its transcripts are", async () => {
    await using other = await Sandbox.create();
    const part = join(here.root, "part.jsonl");
    await here.run(["export", "-o", part, "--session", "1b7c0a52"]);
    const { chunks, origin } = await json(other, "import", part, "--now");
    expect({ pending: chunks.pending, all: chunks.embedded + chunks.reused, origin }).toEqual({
      pending: 0,
      all: chunks.written,
      origin: "project",
    });
    await other.run(["ingest", SAMPLE, "--text-only"]);
    const { results } = JSON.parse(
      (await other.run(["search", "sqlite", "-k", "50", "--mode", "keyword", "--json"])).stdout,
    );
    expect(new Set(results.map(({ foreign }: { foreign: unknown }) => foreign))).toEqual(new Set([null]));
    expect(JSON.parse((await other.run(["sessions", "--json"])).stdout).total).toBe(12);
  });
});

describe("export", () => {
  test.each([
    [["--json"], 64, "-o"],
    [["-o", "/"], 64, "directory"],
    [["-o", "/nowhere/x"], 1, "/nowhere/x"],
  ])("%p fails and helps", async (args, code, hint) => {
    const { exitCode, stderr } = await here.run(["export", ...args]);
    expect([exitCode, stderr.includes(hint)]).toEqual([code, true]);
  });

  test("of a session that is not there is an error, as every list of it", async () => {
    const file = join(here.root, "none.jsonl");
    const { exitCode, stderr } = await here.run(["export", "-o", file, "--session", "feedface"]);
    expect([exitCode, existsSync(file)]).toEqual([1, false]);
    expect(stderr).toContain('There is no session "feedface".');
  });
});

describe("import of a bad file", () => {
  test("keeps what is good, names the rest and fails", async () => {
    const bad = join(there.root, "bad.jsonl");
    const turn = {
      type: "turn",
      session_id: "x1",
      role: "turn",
      origin: "human",
      text: `[User] \u001b[31mgood\n${"gh"}p_Zk8Qw3rT9yU1iOp5aSdF7gHjK2lXcV4bNmQe`,
    };
    const lines = [{ type: "mementor-export", version: 1, origin: "bob" }, { ...turn, text: null }, turn].map(
      (line) => JSON.stringify(line),
    );
    writeFileSync(bad, `${lines.join("\n")}\n{"type":"turn"`);
    const { exitCode, stdout } = await there.run(["import", bad, "--text-only"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("line 2: text must be a string");
    expect(stdout).toContain("The file is incomplete");
    const shown = JSON.parse((await there.run(["show", "x1", "--json"])).stdout);
    expect(shown.turns[0]).toMatchObject({ text: "[User] good\n[redacted:github-token]", foreign: "bob" });
  });

  test.each([
    ["/dev/zero", "is not a regular file"],
    ["/nowhere", "no such file"],
    ["README.md", "is not an export"],
  ])("%p is refused", async (path, hint) => {
    await Bun.write(join(there.project, "README.md"), "# Not it\n");
    const { exitCode, stderr } = await there.run(["import", path], { timeoutMs: 20_000 });
    expect([exitCode, stderr.includes(hint)]).toEqual([1, true]);
  });
});

describe("what is no place for an export or a report", () => {
  const copyOfDatabase = () => {
    const path = join(here.root, "copy.db");
    copyFileSync(here.memory("mementor.db"), path);
    return path;
  };
  /** Add a line for each. */
  test.each<[string, () => string, string]>([
    ["a directory", () => here.project, "it is a directory"],
    ["a link to a directory", () => linkTo(here.project, "to-directory"), "it is a directory"],
    ["a device", () => "/dev/null", "it is not an ordinary file"],
    ["a link to a device", () => linkTo("/dev/null", "to-device"), "it is not an ordinary file"],
    ["another memory's database", copyOfDatabase, "it is a database"],
    [
      "a link to the database",
      () => linkTo(here.memory("mementor.db"), "to-database"),
      "it belongs to the memory",
    ],
    ["the database", () => here.memory("mementor.db"), "it belongs to the memory"],
    ["the database's log", () => `${here.memory("mementor.db")}-wal`, "it belongs to the memory"],
    ["a new file among the memory's", () => here.memory("x.md"), "it belongs to the memory"],
    [
      "a new file behind a link among the memory's",
      () => join(linkTo(here.memory(), "to-memory"), "y.md"),
      "it belongs to the memory",
    ],
    ["the registry of projects", () => inHome(".config/mementor/projects.json"), "it belongs to mementor"],
    [
      "a link to the registry",
      () => linkTo(inHome(".config/mementor/projects.json"), "to-registry"),
      "it belongs to mementor",
    ],
    [
      "the key of what was forgotten",
      () => inHome(".local/share/mementor/forget.key"),
      "it belongs to mementor",
    ],
    [
      "the program that hooks start",
      () => inHome(".local/share/mementor/bin/mementor"),
      "it belongs to mementor",
    ],
  ])("%s", async (_what, path, reason) => {
    const target = path();
    for (const command of [
      ["export", "-o"],
      ["report", "--html"],
    ]) {
      const { exitCode, stdout, stderr } = await here.run([...command, target]);
      expect({ exitCode, stdout, stderr }).toEqual({
        exitCode: 64,
        stdout: "",
        stderr: expect.stringContaining(`Cannot write to ${target}: ${reason}.`),
      });
    }
    const { results } = JSON.parse(
      (await here.run(["search", "sqlite", "--mode", "keyword", "--json"])).stdout,
    );
    expect(results.length).toBeGreaterThan(0);
  });

  test("a file that exists is replaced by a new one beside it", async () => {
    const old = join(here.root, "old.jsonl");
    writeFileSync(old, "the old one", { mode: 0o644 });
    const held = openSync(old, "r");
    expect((await here.run(["export", "-o", old])).exitCode).toBe(0);
    expect(readFileSync(held, "utf8")).toBe("the old one");
    expect(readFileSync(old, "utf8")).toStartWith('{"');
    expect(statSync(old).mode & 0o777).toBe(0o600);
    closeSync(held);
  });

  function inHome(path: string): string {
    return join(here.home, path);
  }

  function linkTo(target: string, name: string): string {
    const path = join(here.root, name);
    symlinkSync(target, path);
    return path;
  }
});
