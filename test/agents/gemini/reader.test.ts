import { expect, test } from "bun:test";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gemini } from "../../../src/agents/gemini/agent.ts";
import { readAll } from "../../support/read-turns.ts";
import { ingested, sourcesOf, withHome } from "../sources.ts";

const OLDER = join(import.meta.dir, "../../../fixtures/agents/gemini/older");
const PROJECT = "/home/dev/kiln";

test("a session that a newer version writes on beside the old file is one session", () =>
  withHome(async (home) => {
    cpSync(OLDER, home, { recursive: true });
    const [old = ""] = await sourcesOf(gemini, home, PROJECT);
    const { messages, ...head } = JSON.parse(readFileSync(old, "utf8"));
    const more = [
      { id: "1f000033-4a11-4c22-8d33-000000abc033", type: "user", content: [{ text: "Test that." }] },
      { id: "1f000034-4a11-4c22-8d33-000000abc034", type: "gemini", content: "The loop is tested." },
    ];
    const withoutSubagents = messages.filter(({ id }: { id: string }) => !id.startsWith("1f00002a"));
    const lines = [head, ...withoutSubagents, { $set: { sessionId: head.sessionId } }, ...more];
    writeFileSync(`${old}l`, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const sources = await sourcesOf(gemini, home, PROJECT);
    expect(sources).toEqual([old, `${old}l`]);
    const both = await ingested(sources);
    rmSync(old);
    const alone = await ingested(await sourcesOf(gemini, home, PROJECT));
    expect([both.turns?.length, both.turns]).toEqual([3, alone.turns]);
  }));

test("a file that is being written anew is left for later", () =>
  withHome(async (home) => {
    cpSync(OLDER, home, { recursive: true });
    const [source = ""] = await sourcesOf(gemini, home, PROJECT);
    writeFileSync(source, readFileSync(source, "utf8").slice(0, 900));
    await expect(readAll(source)).rejects.toThrow("it is not a JSON object");
  }));

test("a path says whether it is a session's or a subagent's", () => {
  const session = "/h/.gemini/tmp/kiln/chats/session-2026-03-05T14-10-8f20c4d1.jsonl";
  const subagent = "/h/.gemini/tmp/kiln/chats/8f20c4d1-77be-4e0a-a1c3-50d9e6b7f412/c7a9d3e0.jsonl";
  const others = [
    "/h/.gemini/tmp/kiln/logs.json",
    "/h/.gemini/tmp/kiln/chats/8f20c4d1.jsonl",
    "/h/chats/x/y.jsonl",
  ];
  expect([session, session.slice(0, -1), subagent].map(gemini.owns)).toEqual([true, true, true]);
  expect(others.map(gemini.owns)).toEqual([false, false, false]);
  expect(gemini.sourceOf(session)).toEqual({ sessionId: null, isNamed: false, agentId: null });
  expect(gemini.sourceOf(subagent)).toEqual({
    sessionId: "8f20c4d1-77be-4e0a-a1c3-50d9e6b7f412",
    isNamed: false,
    agentId: "c7a9d3e0",
  });
});

test("GEMINI_CLI_HOME moves the directory", () => {
  const rootsOf = (env: Record<string, string>) => gemini.roots({ env, homeDir: "/h", platform: "linux" });
  expect([rootsOf({}), rootsOf({ GEMINI_CLI_HOME: "/g" }), rootsOf({ GEMINI_CLI_HOME: "g" })]).toEqual([
    ["/h/.gemini/tmp"],
    ["/g/.gemini/tmp"],
    ["/h/.gemini/tmp"],
  ]);
});

test("a conversation is counted once, and a file without a prompt is none", () =>
  withHome(async (home) => {
    for (const fixture of [OLDER, join(OLDER, "../home")]) cpSync(fixture, home, { recursive: true });
    const sources = await sourcesOf(gemini, home, PROJECT);
    const names = await Promise.all(sources.map((path) => gemini.conversationOf?.(path)));
    expect(sources.map((path, index) => [basename(path), names[index] ?? null])).toEqual([
      ["session-2026-01-10T08-00-2d6b90fe.json", "2d6b90fe"],
      ["session-2026-03-04T09-00-5c1e77aa.jsonl", "5c1e77aa"],
      ["session-2026-03-04T09-20-5c1e77aa.jsonl", null],
      ["session-2026-03-05T14-10-8f20c4d1.jsonl", "8f20c4d1"],
      ["c7a9d3e0-1b2c-4d5e-8f60-a1b2c3d4e5f6.jsonl", null],
    ]);
    for (const path of sources) writeFileSync(path, '{"half');
    expect(await Promise.all(sources.map((path) => gemini.conversationOf?.(path)))).toEqual(
      sources.map(() => null),
    );
  }));
