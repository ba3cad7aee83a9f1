import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AGENTS, agentOf, discoverSessions, filesOfSession } from "../../src/agents/list.ts";

const folder = mkdtempSync(join(tmpdir(), "mementor-agents-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "{}\n");
  return path;
}

test("every agent has an id that can be typed and stored", () => {
  const ids = AGENTS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9-]*$/);
});

test("every agent has a file or a folder, and so has the test of its contract, named after it", () => {
  const isThere = (path: string) => existsSync(join(import.meta.dir, path));
  for (const { id } of AGENTS) {
    expect([`../../src/agents/${id}.ts`, `../../src/agents/${id}/agent.ts`].filter(isThere)).toHaveLength(1);
    expect([`${id}.test.ts`, `${id}/contract.test.ts`].filter(isThere)).toHaveLength(1);
  }
});

test("a file that no agent recognises is read as a transcript of Claude Code", () => {
  expect(["a/x.jsonl", "a/copy-of-a-session.txt"].map((path) => agentOf(path).id)).toEqual([
    "claude-code",
    "claude-code",
  ]);
});

test("a session's files are its transcript and those of its subagents", async () => {
  const session = file("s.jsonl");
  const subagents = [file("s/subagents/agent-a.jsonl"), file("s/subagents/deep/agent-b.jsonl")];
  const other = file("s2.jsonl");
  file("s/subagents/agent-acompact-c.jsonl");
  expect(await Array.fromAsync(filesOfSession(session))).toEqual([session, ...subagents]);
  expect(await Array.fromAsync(filesOfSession(other))).toEqual([other]);
  rmSync(session);
  expect(await Array.fromAsync(filesOfSession(session))).toEqual(subagents);
  expect(await Array.fromAsync(discoverSessions(join(folder, "s")))).toEqual(subagents);
});

test("a path says whose file it is", () => {
  const id = "0fccf939-a272-4ef8-a9d0-01c7df276089";
  const sourceOf = (path: string) => agentOf(path).sourceOf(path);
  expect(sourceOf(`/p/${id}.jsonl`)).toEqual({ sessionId: id, isNamed: true, agentId: null });
  expect(sourceOf("/p/copy.jsonl")).toEqual({ sessionId: "copy", isNamed: false, agentId: null });
  expect(sourceOf(`/p/${id}/subagents/w/agent-a1.jsonl`)).toEqual({
    sessionId: id,
    isNamed: false,
    agentId: "a1",
  });
  expect(sourceOf("/p/agent-a1.jsonl")).toEqual({ sessionId: null, isNamed: false, agentId: "a1" });
});
