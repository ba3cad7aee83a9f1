import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Talk, writeSession } from "../support/projects.ts";
import { Sandbox } from "../support/sandbox.ts";

const TALK: Talk = [["Which queue do we use for mails?", "Postgres with SKIP LOCKED, no broker."]];
const AGENT = { CLAUDECODE: "1" };

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.create({ model: "quick" });
  await sandbox.run(["enable", "--yes"]);
});
afterEach(() => sandbox[Symbol.asyncDispose]());

const count = async () =>
  JSON.parse((await sandbox.run(["recent", "--json"])).stdout || '{"turns":[]}').turns.length;

/** Where Claude Code keeps the conversations of the project. */
function storeOf(): string {
  const store = join(sandbox.home, ".claude/projects");
  return join(store, readdirSync(store)[0] ?? "");
}

test("an agent cannot have a file of the tree read as the user's words; a person can", async () => {
  writeSession(sandbox, sandbox.project, TALK);
  const store = storeOf();
  cpSync(store, join(sandbox.project, "docs"), { recursive: true });
  rmSync(store, { recursive: true });
  const file = join("docs", readdirSync(join(sandbox.project, "docs"))[0] ?? "");
  for (const named of [file, "docs", join(sandbox.project, file)]) {
    const { exitCode, stderr } = await sandbox.run(["ingest", named, "--text-only"], { env: AGENT });
    expect([exitCode, stderr]).toEqual([64, expect.stringContaining("an agent cannot vouch for that")]);
  }
  expect(await count()).toBe(0);
  expect((await sandbox.run(["ingest", file, "--text-only"])).exitCode).toBe(0);
  expect(await count()).toBeGreaterThan(0);
});

test("an agent can have read what agents keep", async () => {
  writeSession(sandbox, sandbox.project, TALK);
  expect((await sandbox.run(["ingest", storeOf(), "--text-only"], { env: AGENT })).exitCode).toBe(0);
  expect(await count()).toBe(1);
});

test.each([["--adopt"], ["--adopt-from=../other"]])("an agent cannot adopt: %s", async (option) => {
  const other = join(sandbox.root, "other");
  mkdirSync(other);
  writeSession(sandbox, other, TALK);
  const { exitCode, stderr } = await sandbox.run(["enable", "--yes", option], { env: AGENT });
  expect([exitCode, stderr]).toEqual([64, expect.stringContaining("an agent cannot vouch for that")]);
  const planned = await sandbox.run(["enable", "--yes", "--dry-run", option], { env: AGENT });
  expect(planned.stderr).not.toContain("vouch");
});
