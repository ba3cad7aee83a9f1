import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, makeRepository, type Talk, writeSession } from "../support/projects.ts";
import { Sandbox } from "../support/sandbox.ts";
import { onTerminal } from "../support/terminal.ts";
import { untilEmbedded } from "./client.ts";
import { makeProject } from "./project.ts";

const TALK: Talk = [
  ["Which queue do we use for mails?", "Postgres with SKIP LOCKED, no broker."],
  ["How often is a mail retried?", "Five times, then it goes to the dead letters."],
];
const MORE: Talk = [["Why five retries?", "The provider forgives transient errors within a minute."]];

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.create({ model: "quick" });
});
afterEach(() => sandbox[Symbol.asyncDispose]());

interface Enabled {
  memory: string;
  memory_directory: string;
  changed?: boolean;
  histories: { root: string; is_gone: boolean; kinship: string; turns: number | null; taken: boolean }[];
}

async function enable(cwd: string, ...options: string[]): Promise<Enabled> {
  const { stdout, exitCode } = await sandbox.run(["enable", "--json", ...options], { cwd });
  expect(exitCode).toBe(0);
  if (!options.includes("--dry-run")) await untilEmbedded(sandbox, cwd);
  return JSON.parse(stdout);
}

async function turnsOf(cwd: string): Promise<string[]> {
  const { stdout } = await sandbox.run(["recent", "--json", "-n", "100"], { cwd });
  return JSON.parse(stdout).turns.map((turn: { first_words: string }) => turn.first_words);
}

/** Moves a project and loses its pointer, as when only the working tree is copied. */
function move(from: string, name: string): string {
  const to = join(sandbox.root, name);
  renameSync(from, to);
  rmSync(join(to, ".mementor"), { recursive: true, force: true });
  return to;
}

describe("a project that was moved", () => {
  test("finds its memory by its first commit, and takes it over when told to", async () => {
    const before = await makeProject(sandbox, "mail", TALK);
    const memory = sandbox.memoryOf(before);
    const moved = move(before, "postbox");
    const preview = await enable(moved, "--dry-run", "--adopt-history", "--yes");
    const history = { root: before, is_gone: true, kinship: "same", turns: 2, sessions: 1 };
    expect(preview).toMatchObject({ changed: false, histories: [{ ...history, taken: true }] });
    expect((await sandbox.run(["recent"], { cwd: moved })).exitCode).toBe(1);
    const { stdout } = await sandbox.run(["enable", "--dry-run"], { cwd: moved });
    expect(stdout).toContain(
      `${before} (gone): 2 turns, 1 session on disk; this repository, as its files say`,
    );
    expect(stdout).toContain("mementor enable --adopt-history");
    const enabled = await enable(moved, "--adopt-history", "--yes");
    expect(enabled).toMatchObject({ memory: "adopted", memory_directory: memory });
    expect(enabled.histories).toEqual([{ ...history, taken: true }]);
    expect((await turnsOf(moved)).sort()).toEqual(TALK.map(([prompt]) => prompt).sort());
  });

  test("is found also where an older version enabled it: the worker notes its repository", async () => {
    const before = await makeProject(sandbox, "mail", TALK);
    const file = join(sandbox.home, ".config/mementor/projects.json");
    const registry = JSON.parse(readFileSync(file, "utf8"));
    for (const record of registry.projects) delete record.repository;
    writeFileSync(file, JSON.stringify(registry));
    expect((await sandbox.run(["work"], { cwd: before })).exitCode).toBe(0);
    const moved = move(before, "postbox");
    expect((await enable(moved, "--dry-run")).histories).toMatchObject([{ root: before, kinship: "same" }]);
  });

  test("its sessions at the former path belong to it, and none is read twice", async () => {
    const before = await makeProject(sandbox, "mail", TALK);
    const moved = move(before, "postbox");
    await enable(moved, "--adopt-history", "--yes");
    writeSession(sandbox, before, MORE, { day: 9 });
    for (let i = 0; i < 2; i++) expect((await sandbox.run(["ingest"], { cwd: moved })).exitCode).toBe(0);
    const prompts = [...TALK, ...MORE].map(([prompt]) => prompt);
    expect((await turnsOf(moved)).sort()).toEqual(prompts.sort());
    // It is known now: nothing is left to find.
    expect((await enable(moved, "--no-history")).histories).toEqual([]);
  });

  test("without a memory, finds sessions by the name alone and takes them only when the place is named", async () => {
    const before = await makeRepository(sandbox, "old/mail");
    writeSession(sandbox, before, TALK);
    const moved = join(sandbox.root, "mail");
    renameSync(before, moved);
    const found = await enable(moved, "--adopt-history", "--yes");
    expect(found.histories).toMatchObject([{ root: before, kinship: "name", taken: false }]);
    const none = await sandbox.run(["enable", "--adopt-from", "../nowhere"], { cwd: moved });
    expect({ exitCode: none.exitCode, stderr: none.stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining("There is no history of"),
    });
    await enable(moved, "--adopt-from", before);
    expect((await turnsOf(moved)).sort()).toEqual(TALK.map(([prompt]) => prompt).sort());
  });
});

describe("a clone at another path", () => {
  test("gets a copy of the memory, and the first one keeps its own", async () => {
    const first = await makeProject(sandbox, "mail", TALK);
    const second = join(sandbox.root, "second");
    await git(sandbox.root, "clone", "-q", first, second);
    const enabled = await enable(second, "--adopt-from", first);
    expect(enabled).toMatchObject({
      memory: "adopted",
      histories: [{ root: first, is_gone: false, kinship: "same", turns: 2, taken: true }],
    });
    expect(enabled.memory_directory).not.toBe(sandbox.memoryOf(first));
    for (const place of [first, second])
      expect((await turnsOf(place)).sort()).toEqual(TALK.map(([prompt]) => prompt).sort());
    const doctor = await sandbox.run(["status", "--json"], { cwd: first });
    expect(JSON.parse(doctor.stdout).trust).toBe("trusted");
    // The undo: the copy goes, the first memory stays.
    await sandbox.run(["disable", "--purge", "--yes"], { cwd: second });
    expect(await turnsOf(first)).toHaveLength(2);
  });

  test("that has a memory already reads the sessions, and says how the rest can be imported", async () => {
    const first = await makeProject(sandbox, "mail", TALK);
    const second = join(sandbox.root, "second");
    await git(sandbox.root, "clone", "-q", first, second);
    await enable(second, "--no-history");
    const { stdout } = await sandbox.run(["enable", "--adopt-from", first, "--history"], { cwd: second });
    expect(stdout).toContain("mementor import history.jsonl");
    await untilEmbedded(sandbox, second);
    expect((await turnsOf(second)).sort()).toEqual(TALK.map(([prompt]) => prompt).sort());
  });

  test("that is a fork is told apart, and taken over only by name", async () => {
    const first = await makeProject(sandbox, "mail", TALK);
    await git(first, "remote", "add", "origin", "git@example.org:ada/mail.git");
    await enable(first, "--no-history");
    const fork = join(sandbox.root, "fork");
    cpSync(first, fork, { recursive: true });
    rmSync(join(fork, ".mementor"), { recursive: true, force: true });
    await git(fork, "remote", "set-url", "origin", "https://example.org/eve/mail");
    const found = await enable(fork, "--adopt-history", "--yes", "--no-history");
    expect(found).toMatchObject({ memory: "created", histories: [{ kinship: "fork", taken: false }] });
    expect(await turnsOf(fork)).toEqual([]);
    await sandbox.run(["disable", "--purge", "--yes"], { cwd: fork });
    const taken = await enable(fork, "--adopt-from", first);
    expect(taken).toMatchObject({ memory: "adopted", histories: [{ kinship: "fork", taken: true }] });
    expect(await turnsOf(fork)).toHaveLength(2);
  });

  test("of an unrelated project is not found", async () => {
    await makeProject(sandbox, "mail", TALK);
    const other = await makeRepository(sandbox, "other");
    expect((await enable(other, "--adopt-history", "--yes")).histories).toEqual([]);
  });
});

describe("what only a project's files say", () => {
  const QUESTION = "[y/N/q]";
  const atTerminal = (cwd: string, answer: string) =>
    onTerminal(
      sandbox,
      ["enable", "--adopt-history", "--no-history", "--scope", "local", "--for", "claude"],
      {
        cwd,
        columns: 400,
        env: { NO_COLOR: "1" },
        typed: [[QUESTION, answer]],
      },
    );

  test("takes nothing of a project that is still there, without a person who was asked", async () => {
    const first = await makeProject(sandbox, "mail", TALK);
    const second = join(sandbox.root, "second");
    await git(sandbox.root, "clone", "-q", first, second);
    for (const options of [["--adopt-history"], ["--adopt-history", "--yes"]]) {
      const { histories } = await enable(second, "--no-history", ...options);
      expect(histories).toMatchObject([{ root: first, kinship: "same", taken: false }]);
    }
    expect(await turnsOf(second)).toEqual([]);
  });

  test("takes nothing of a place that is gone, where nobody was asked or said yes", async () => {
    const before = await makeProject(sandbox, "mail", TALK);
    const moved = move(before, "postbox");
    const { histories } = await enable(moved, "--adopt-history", "--no-history");
    expect(histories).toMatchObject([{ root: before, kinship: "same", taken: false }]);
    expect(await turnsOf(moved)).toEqual([]);
  });

  test("is asked about in words that name both places, and no is the answer of Enter", async () => {
    const first = await makeProject(sandbox, "mail", TALK);
    const second = join(sandbox.root, "second");
    await git(sandbox.root, "clone", "-q", first, second);
    const { screen } = await atTerminal(second, "\n");
    expect(screen).toContain(
      `The files of ${second} say that it is the repository of ${first}. Is it? What is remembered there (2 turns, 1 session on disk) is then told here.`,
    );
    expect(await turnsOf(second)).toEqual([]);
    await sandbox.run(["disable", "--purge", "--yes"], { cwd: second });
    const quit = await atTerminal(second, "q\n");
    expect(quit.screen).toContain("Nothing was changed.");
    await atTerminal(second, "y\n");
    expect(await turnsOf(second)).toHaveLength(2);
  });
});

test("to take over history is no consent to a database that came with the tree", async () => {
  const first = await makeProject(sandbox, "mail", TALK);
  const other = await makeRepository(sandbox, "other");
  await Bun.write(
    join(other, ".mementor", "mementor.db"),
    Bun.file(join(sandbox.memoryOf(first), "mementor.db")),
  );
  const { exitCode, stderr } = await sandbox.run(["enable", "--adopt-history"], { cwd: other });
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining("was not made here") });
});
