import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../support/sandbox.ts";
import { ingestSample, SAMPLE } from "./sample.ts";

const SQLITE_SESSION = "1b7c0a52-6f1e-4c7d-9a35-2d0e8f41c601";
const QUESTION = "why did we choose sqlite for bookmarks";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await Sandbox.create();
  await ingestSample(sandbox);
});

afterAll(() => sandbox[Symbol.asyncDispose]());

async function json(...args: string[]) {
  const { stdout, stderr, exitCode } = await sandbox.run([...args, "--json"]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return JSON.parse(stdout);
}

describe("search, on the compiled binary", () => {
  test("brings the right turn back, with where it is from and why it was found", async () => {
    const { query, results } = await json("query", QUESTION, "-k", "3");
    expect(query).toBe(QUESTION);
    expect(results).toHaveLength(3);
    expect(results[0]).toEqual({
      turn_id: 1,
      session_id: SQLITE_SESSION,
      client: "claude-code",
      line_index: 1,
      agent_id: null,
      time: "2026-02-23T08:41:34.445Z",
      branch: "feat/store",
      confidence: "strong",
      distance: expect.closeTo(0.21, 1),
      score: expect.any(Number),
      sources: ["vector", "keyword"],
      statement: {
        ...{ text: expect.stringContaining("SQLite"), kind: "thinking", by: "Claude, thinking" },
        next: {
          text: expect.stringContaining("why better-sqlite3"),
          by: "the user",
          at: null,
          turn_id: null,
        },
      },
      passage_by: expect.stringContaining("Claude"),
      passage: expect.stringContaining("SQLite"),
      text: expect.stringContaining("LMDB"),
      role: "turn",
      origin: "human",
      session_title: "Moving bookmark storage from JSON to SQLite",
      foreign: null,
    });
    expect(results[0].text).toContain(results[0].passage.slice(0, 40));
  });

  test("says for how many chunks the search by meaning is not ready, while some have no vectors", async () => {
    const database = join(sandbox.root, "words.db");
    await sandbox.run(["ingest", SAMPLE, "--text-only", "--db", database]);
    const early = ["search", QUESTION, "-k", "1", "--db", database];
    const { pending_chunks } = await json(...early);
    expect(pending_chunks).toBeGreaterThan(50);
    const { stdout } = await sandbox.run(early);
    expect(stdout).toContain(`\nNot yet in the search by meaning: ${pending_chunks} pieces of text.`);
    expect(await json(...early, "--mode", "keyword")).not.toHaveProperty("pending_chunks");
    expect(await json("search", QUESTION, "-k", "1")).not.toHaveProperty("pending_chunks");
  });

  test.each([
    ["windows test flaky", "likely"],
    ["why does npm need a token to release", "strong"],
    ["stripe webhook", "weak"],
    ["zxqv blorf", "weak"],
  ])("says how sure it is of %p: %s", async (query, confidence) => {
    expect((await json("search", query, "-k", "1")).confidence).toBe(confidence);
  });

  test.each(["why sqlite", "sqlite file", "database", "npm token"])(
    'rates no result of "%s" higher than the answer that it is part of',
    async (query) => {
      const LEVELS = ["weak", "likely", "strong"];
      const { confidence, results } = await json("search", query, "--mode", "keyword", "-k", "10");
      expect(results).not.toEqual([]);
      const levels = results.map((result: { confidence: string }) => LEVELS.indexOf(result.confidence));
      expect(Math.max(...levels)).toBeLessThanOrEqual(LEVELS.indexOf(confidence));
      expect(Math.min(...levels)).toBeGreaterThanOrEqual(0);
    },
  );

  test("says when nothing seems to answer, and shows only the nearest", async () => {
    const { stdout } = await sandbox.run(["search", "stripe webhook"]);
    expect(stdout).toStartWith("Nothing here seems to answer this. Nearest:\n\n");
    expect(stdout.match(/mementor show \d+/g)).toHaveLength(3);
  });

  test("finds what was said in Japanese and Korean", async () => {
    const best = async (question: string) =>
      (await json("search", question, "-k", "1")).results[0]?.session_id;
    expect(await best("日付の表示形式はどう決めた？")).toStartWith("c6e19d37");
    expect(await best("윈도우에서 테스트가 가끔 실패하는 이유")).toStartWith("38da7c2e");
  });

  test("gives an empty list, and 0, when a filter leaves nothing", async () => {
    expect(await json("search", QUESTION, "--until", "2020")).toEqual({
      query: QUESTION,
      confidence: "weak",
      results: [],
    });
  });

  test("takes every filter at its word", async () => {
    const sessions = async (...filter: string[]) =>
      (await json("search", QUESTION, "-k", "100", ...filter)).results.map(
        (result: { session_id: string }) => result.session_id,
      );
    expect(new Set(await sessions("--session", SQLITE_SESSION))).toEqual(new Set([SQLITE_SESSION]));
    expect(await sessions("--until", "2026-02-01")).toEqual([]);
    expect((await sessions("--file", "src/db/schema.ts")).length).toBeGreaterThan(0);
  });

  test.each(["hybrid", "keyword", "vector"])("answers in mode %s", async (mode) => {
    const { results } = await json("search", QUESTION, "-k", "1", "--mode", mode);
    expect(results.map(({ session_id }: { session_id: string }) => session_id)).toEqual([SQLITE_SESSION]);
  });

  test("repairs libraries that were damaged on disk", async () => {
    const cache = join(sandbox.root, "other-cache");
    const env = { XDG_CACHE_HOME: cache };
    await sandbox.run(["search", QUESTION], { env });
    await Bun.$`find ${cache} -type f -size +100k -exec truncate -s 100 {} +`.quiet();
    const { exitCode, stdout, stderr } = await sandbox.run(
      ["search", QUESTION, "--mode", "vector", "--json"],
      { env },
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(JSON.parse(stdout).results[0].session_id).toBe(SQLITE_SESSION);
  });

  test("prints no terminal escapes into a pipe", async () => {
    const { stdout } = await sandbox.run(["search", QUESTION]);
    expect(stdout.includes("\x1b")).toBe(false);
  });

  test("says where to start when there is no memory", async () => {
    await using empty = await Sandbox.create();
    const { exitCode, stdout, stderr } = await empty.run(["search", QUESTION]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain("mementor enable");
  });
});

describe("a hostile directory", () => {
  test("its .env and bunfig.toml have no say in what the binary does", async () => {
    await using hostile = await Sandbox.create();
    const [trace, evilConfig] = [join(hostile.root, "trace"), join(hostile.root, "evil-config")];
    await Bun.write(join(hostile.project, ".env"), `XDG_CONFIG_HOME=${evilConfig}\n`);
    await Bun.write(join(hostile.project, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
    await Bun.write(
      join(hostile.project, "evil.ts"),
      `await Bun.write(${JSON.stringify(trace)}, "loaded");\n`,
    );
    const input = { session_id: "s", cwd: hostile.project, prompt: "why did we choose sqlite" };
    const enabled = await hostile.run(["enable", "--no-history"]);
    const hook = await hostile.hook("user-prompt-submit", input);
    expect(enabled.exitCode).toBe(0);
    expect({ exitCode: hook.exitCode, stdout: hook.stdout, stderr: hook.stderr }).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: "",
    });
    expect([existsSync(trace), existsSync(evilConfig)]).toEqual([false, false]);
  });
});
