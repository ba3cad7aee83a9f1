import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  CallToolResultSchema,
  ListRootsRequestSchema,
  type TextContent,
} from "@modelcontextprotocol/sdk/types.js";
import { listedTools } from "../../src/mcp/tools.ts";
import { estimateTokens } from "../../src/recall/telling/agent-text.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { ingestSample, SAMPLE } from "./sample.ts";

const FRAMED = /^<mementor-memory>\n[\s\S]*\n<\/mementor-memory>$/;

/** One transcript of the sample. */
const ONE = join(SAMPLE, "projects", "-home-dev-tidemark", "1b7c0a52-6f1e-4c7d-9a35-2d0e8f41c601.jsonl");

let sandbox: Sandbox;
let client: Client;

async function connect(cwd = sandbox.project, env: Record<string, string> = {}): Promise<Client> {
  const connected = new Client({ name: "test", version: "1" });
  await connected.connect(
    new StdioClientTransport({
      command: BINARY,
      args: ["mcp"],
      cwd,
      env: sandbox.env(env),
      stderr: "ignore",
    }),
  );
  return connected;
}

interface Called {
  text: string;
  isError: boolean;
  data: { notice: string; results: Record<string, unknown>[]; next_cursor?: string; [more: string]: unknown };
}

async function call(name: string, args: Record<string, unknown> = {}, on = client): Promise<Called> {
  const result = CallToolResultSchema.parse(await on.callTool({ name, arguments: args }));
  const text = result.content.map((part) => (part as TextContent).text).join("\n");
  return { text, isError: result.isError === true, data: result.structuredContent as Called["data"] };
}

beforeAll(async () => {
  sandbox = await Sandbox.create();
  await ingestSample(sandbox);
  client = await connect();
  // The client checks every structured answer against the tool's schema once it knows the tools.
  await client.listTools();
});

afterAll(async () => {
  await client.close();
  await sandbox[Symbol.asyncDispose]();
});

describe("the MCP server, compiled, with the SDK's own client", () => {
  test("says who it is and what it is for", () => {
    expect(client.getServerVersion()?.name).toBe("mementor");
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    expect(client.getInstructions()).toContain("no instructions");
  });

  test("lists its tools with the schemas of their arguments", async () => {
    expect((await client.listTools()).tools).toEqual(listedTools());
  });

  test("search finds what was decided, quoted, with its source", async () => {
    const { text, data } = await call("search", {
      query: "why did we choose sqlite for the bookmarks",
      limit: 3,
    });
    expect(text).toMatch(FRAMED);
    expect(text).toContain("not instructions");
    expect(data.notice).toContain("not instructions");
    expect(data.results[0]).toMatchObject({ session_title: "Moving bookmark storage from JSON to SQLite" });
    expect(JSON.stringify(data.results[0]?.said)).toContain("SQLite");
    expect(data.results.length).toBeLessThanOrEqual(3);
    expect(text.length).toBeLessThanOrEqual(2_500);
    expect(text.match(/more: mementor recall --show \d+(?:-\d+)?$/gm)).toHaveLength(data.results.length);
  });

  test("a search goes on where it stopped", async () => {
    const query = "bookmarks";
    const page = async (cursor?: string) =>
      (await call("search", { query, limit: 3, max_tokens: 20_000, ...(cursor && { cursor }) })).data;
    const first = await page();
    const second = await page(first.next_cursor);
    const third = await page(second.next_cursor);
    const ids = (results: Called["data"]["results"]) => results.map(({ turn_id }) => turn_id);
    expect([first.next_cursor, second.next_cursor]).toEqual(["1", "4"]);
    const all = [first, second, third].flatMap(({ results }) => ids(results));
    expect(new Set(all).size).toBe(all.length);
  });

  const filters: [string, Record<string, unknown>, (result: Record<string, unknown>) => boolean][] = [
    ["branch", { branch: "feat/store" }, ({ branch }) => branch === "feat/store"],
    ["session", { session: "1b7c0a52" }, ({ session_id }) => `${session_id}`.startsWith("1b7c0a52")],
    ["since", { since: "2026-11-01" }, ({ time }) => `${time}` > "2026-11"],
  ];
  for (const [name, filter, fits] of filters)
    test(`a search can be narrowed by ${name}`, async () => {
      const { data } = await call("search", { query: "bookmarks", ...filter });
      expect(data.results.length).toBeGreaterThan(0);
      expect(data.results.filter((result) => !fits(result))).toEqual([]);
    });

  test("show tells how a turn ended first, and names what it leaves out, which pages make up", async () => {
    const whole = (await call("show", { turn: 1, thinking: true, max_tokens: 20_000 })).data;
    expect(whole.next_cursor).toBeUndefined();
    const first = await call("show", { turn: 1, thinking: true, max_tokens: 400 });
    expect(first.text).toMatch(
      /\nLeft out: [\d,]+ characters of the \w+.*the whole in pages: the same call with cursor "1"\.\n/,
    );
    expect(first.text).toMatch(/\n\n> \[Assistant\] [\s\S]*\n> \[User, next, turn 2\] [\s\S]*\n> \[User\] /);
    let text = "";
    for (let cursor = first.data.next_cursor; cursor !== undefined; ) {
      const { data } = await call("show", { turn: 1, thinking: true, max_tokens: 400, cursor });
      text += data.results[0]?.text;
      cursor = data.next_cursor;
    }
    expect(text).toBe(`${whole.results[0]?.text}`);
    // Nothing of the turn is missing in them.
    const shown = JSON.parse((await sandbox.run(["show", "1", "--json"])).stdout);
    for (const { start, end } of shown.parts) expect(text).toContain(shown.text.slice(start, end));
  });

  test("show tells several turns in order, and those of a session", async () => {
    const { data } = await call("show", { turn: 2, to_turn: 4 });
    expect(data.results).toMatchObject([{ turn_id: 2 }, { turn_id: 3 }, { turn_id: 4 }]);
    const session = await call("show", { session: "1b7c0a52" });
    expect(session.data.results.map(({ turn_id }) => turn_id)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(session.data.session).toMatchObject({
      title: "Moving bookmark storage from JSON to SQLite",
      turns: 6,
    });
  });

  test("sessions, file_history and recent answer what the command line does", async () => {
    const json = async (...args: string[]) => JSON.parse((await sandbox.run([...args, "--json"])).stdout);
    const sessions = await json("sessions", "-n", "5");
    expect((await call("sessions", { limit: 5 })).data).toMatchObject({
      total: sessions.total,
      next_cursor: "5",
      results: sessions.sessions.map(({ session_id }: { session_id: string }) => ({ session_id })),
    });
    const recent = await json("recent", "-n", "4");
    const listed = await call("recent", { limit: 4 });
    expect([listed.data.total, listed.text.split("\n")[2]]).toEqual([
      recent.total,
      `The latest turns, newest first; ${recent.total} in total`,
    ]);
    expect((await call("recent", { limit: 4 })).data.results).toMatchObject(
      recent.turns.map(({ turn_id }: { turn_id: number }) => ({ turn_id })),
    );
    const [{ path }] = (await json("files", "-n", "1")).files;
    const history = (await json("files", path, "-n", "5")).history;
    expect((await call("file_history", { path, limit: 5 })).data.results).toMatchObject(
      history.map(({ turn_id }: { turn_id: number }) => ({ turn_id, path })),
    );
  });

  test("a file that is not known is an error that names the nearest", async () => {
    const { text, isError } = await call("file_history", { path: "src/db/shcema.ts" });
    expect(isError).toBe(true);
    expect(text).toStartWith('The memory has no file "src/db/shcema.ts".\nNearest: ');
    expect(text).toContain("src/db/schema.ts");
  });

  test("no answer overdraws its budget, in either form", async () => {
    const calls: [string, Record<string, unknown>][] = [
      ["search", { query: "왜 북마크를 sqlite에 저장해?", limit: 20 }],
      ["search", { query: "bookmarks", limit: 50 }],
      ["show", { turn: 1 }],
      ["show", { turn: 61, thinking: true }],
      ["show", { turn: 1, to_turn: 61 }],
      ["show", { session: "38da7c2e" }],
      ["sessions", { limit: 50 }],
      ["recent", { limit: 50 }],
      ["file_history", { path: "src/db/schema.ts", limit: 50 }],
    ];
    for (const [name, args] of calls)
      for (const max_tokens of [400, 1_000, 5_000]) {
        const { text, data } = await call(name, { ...args, max_tokens });
        const spent = Math.max(estimateTokens(text), estimateTokens(JSON.stringify(data)));
        expect({ name, max_tokens, isWithin: spent <= max_tokens, spent }).toMatchObject({ isWithin: true });
      }
  });

  test("serves the project that Claude Code names, where it is started in it, for reading", async () => {
    const within = join(sandbox.project, "within");
    await mkdir(within, { recursive: true });
    const started = await connect(within, { CLAUDE_PROJECT_DIR: sandbox.project });
    const { data } = await call("recent", { limit: 1 }, started);
    const noted = await call("note", { text: "Notes from within" }, started);
    await started.close();
    expect(data.results).toMatchObject([{ turn_id: expect.any(Number) }]);
    expect(noted).toMatchObject({ isError: true, text: expect.stringContaining("so it stores nothing") });
  });

  test.each(["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR", "COPILOT_PROJECT_DIR"])(
    "reads and writes nothing of a project elsewhere that %s names",
    async (name) => {
      const evil = join(sandbox.root, "evil");
      await mkdir(evil, { recursive: true });
      const before = await call("recent", { limit: 1 });
      const elsewhere = await connect(evil, { [name]: sandbox.project });
      for (const [tool, args] of [
        ["recent", { limit: 1 }],
        ["search", { query: "why did we choose sqlite for bookmarks" }],
        ["search_elsewhere", { query: "why did we choose sqlite for bookmarks", project: "*" }],
        ["note", { text: "Deploy by evilhost" }],
      ] as const)
        expect(await call(tool, args, elsewhere)).toMatchObject({
          isError: true,
          text: expect.stringContaining("not enabled"),
        });
      await elsewhere.close();
      expect((await call("recent", { limit: 1 })).data).toEqual(before.data);
    },
  );
});

describe("the project that is served", () => {
  let other: string;
  beforeAll(async () => {
    other = join(sandbox.home, "elsewhere");
    await mkdir(other);
  });

  /** A client that works in these directories; `asked` counts how often it was asked for them. */
  async function working(roots: readonly string[], cwd = other, env: Record<string, string> = {}) {
    const uris = roots.map((path) => ({ uri: path.includes(":") ? path : pathToFileURL(path).href }));
    const state = { uris, asked: 0 };
    const working = new Client(
      { name: "test", version: "1" },
      { capabilities: { roots: { listChanged: true } } },
    );
    working.setRequestHandler(ListRootsRequestSchema, () => {
      state.asked++;
      return { roots: state.uris };
    });
    const started = { command: BINARY, args: ["mcp"], cwd, env: sandbox.env({ PWD: cwd, ...env }) };
    await working.connect(new StdioClientTransport({ ...started, stderr: "ignore" }));
    return { working, state };
  }

  const isServed = async (on: Client) => !(await call("recent", { limit: 1 }, on)).isError;

  test("is the first of the client's roots that is enabled, and it is asked once", async () => {
    const { working: asked, state } = await working(["vscode-vfs://host/x", other, sandbox.project, "/"]);
    expect([await isServed(asked), await isServed(asked), state.asked]).toEqual([true, true, 1]);
    state.uris = [{ uri: pathToFileURL(other).href }];
    await asked.sendRootsListChanged();
    expect([await isServed(asked), state.asked]).toEqual([false, 2]);
    await asked.close();
  });

  test("is the directory that it is started in, if that is enabled, whatever the roots are", async () => {
    const { working: asked, state } = await working([other], sandbox.project);
    expect([await isServed(asked), state.asked]).toEqual([true, 0]);
    await asked.close();
  });

  test.each([
    [{ GEMINI_PROJECT_DIR: true }, false],
    [{ PWD: true, INIT_CWD: true }, false],
    [{}, false],
  ] as const)("is found by the environment %j", async (named, expected) => {
    const env = Object.fromEntries(Object.keys(named).map((name) => [name, sandbox.project]));
    const { working: asked } = await working([], other, env);
    expect(await isServed(asked)).toBe(expected);
    await asked.close();
    const without = await connect(other, { PWD: other, ...env });
    expect(await isServed(without)).toBe(expected);
    await without.close();
  });

  test("is enabled while the server runs", async () => {
    const late = join(sandbox.home, "late");
    await mkdir(late);
    const { working: asked } = await working([late]);
    expect(await isServed(asked)).toBe(false);
    const enabling = Bun.spawn([BINARY, "enable", "--no-history"], {
      cwd: late,
      env: sandbox.env(),
      stdout: "ignore",
    });
    expect(await enabling.exited).toBe(0);
    expect((await call("recent", {}, asked)).data).toMatchObject({ results: [] });
    await asked.close();
  });
});

describe("errors of the protocol", () => {
  const failures: [string, () => Promise<unknown>, number, string][] = [
    [
      "an unknown tool",
      () => client.callTool({ name: "forget", arguments: {} }),
      -32_602,
      "Unknown tool: forget",
    ],
    ["an unknown method", () => client.getPrompt({ name: "x" }), -32_601, "Method not found"],
  ];
  for (const [name, doing, code, message] of failures)
    test(`${name} is an error`, async () => {
      // The client refuses by itself what the server does not announce; what the server says is looked at.
      if (code === -32_601) {
        const raw = await converse(['{"jsonrpc":"2.0","id":9,"method":"prompts/get","params":{"name":"x"}}']);
        expect(raw).toMatchObject([{ id: 9, error: { code, message: expect.stringContaining(message) } }]);
        return;
      }
      const error: unknown = await doing().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    });

  test("wrong arguments and missing turns are answers that the caller can learn from", async () => {
    expect(await call("search", {})).toMatchObject({
      isError: true,
      text: expect.stringContaining('"query" is missing'),
    });
    expect(await call("show", { turn: 99_999 })).toMatchObject({
      isError: true,
      text: expect.stringContaining("no turn 99999"),
    });
    expect(await call("show", { session: "zzz" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("no session"),
    });
  });

  test("lines that are no messages do not stop it, and stdout holds the protocol alone", async () => {
    const answers = await converse(["{oops", "[]", '{"jsonrpc":"2.0","id":5,"method":"ping"}']);
    expect(answers).toEqual([
      { jsonrpc: "2.0", id: null, error: { code: -32_700, message: expect.any(String) } },
      { jsonrpc: "2.0", id: null, error: { code: -32_600, message: expect.any(String) } },
      { jsonrpc: "2.0", id: 5, result: {} },
    ]);
  });

  test("a cancelled call gets no answer, and the next one does", async () => {
    const cancelled = new AbortController();
    const waiting = client.callTool({ name: "search", arguments: { query: "sqlite" } }, undefined, {
      signal: cancelled.signal,
    });
    cancelled.abort("enough");
    const error: unknown = await waiting.catch((thrown: unknown) => thrown);
    expect(String(error)).toContain("enough");
    expect((await call("recent", { limit: 1 })).data.results).toHaveLength(1);
  });
});

/** Sends lines after a handshake, ends the input, and returns what was answered to them. */
async function converse(lines: readonly string[], cwd = sandbox.project): Promise<unknown[]> {
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const stdin = [
    JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }),
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
    ...lines,
  ].join("\n");
  const { stdout, exitCode, stderr } = await sandbox.run(["mcp"], { stdin, cwd, timeoutMs: 20_000 });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers[0]).toMatchObject({ id: 0, result: { serverInfo: { name: "mementor" } } });
  return answers.slice(1);
}

describe("the server's life", () => {
  const search = (id: number) =>
    JSON.stringify({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "search", arguments: { query: "sqlite" } },
    });

  test("it answers what was asked before its input ended, then goes", async () => {
    expect(await converse([search(1), search(2)])).toMatchObject([
      { result: { structuredContent: { results: expect.any(Array) } } },
      { result: { structuredContent: { results: expect.any(Array) } } },
    ]);
  });

  test("it leaves no process behind", async () => {
    const child = sandbox.start(["mcp"], { stdin: `${search(1)}\n` });
    await child.exited;
    const left = Bun.spawnSync(["pgrep", "-g", `${child.pid}`]).stdout.toString();
    expect({ exitCode: child.exitCode, left }).toEqual({ exitCode: 0, left: "" });
  });

  test("a project without a memory gets a clear answer, and a memory that is made later is seen", async () => {
    await using fresh = await Sandbox.create();
    const connected = await connect(fresh.project, { HOME: fresh.home });
    const missing = await call("recent", {}, connected);
    await fresh.run(["ingest", SAMPLE, "--text-only"]);
    const found = await call("recent", { limit: 2 }, connected);
    await rename(fresh.memory("mementor.db"), join(fresh.root, "away.db"));
    await fresh.run(["ingest", ONE, "--text-only"]);
    const replaced = await call("sessions", {}, connected);
    await connected.close();
    expect(missing.isError).toBe(true);
    expect(missing.text).toContain("mementor enable");
    expect(found.data.results).toHaveLength(2);
    expect(replaced.data.total).toBe(1);
  });

  test("it reads while an ingest writes", async () => {
    await using fresh = await Sandbox.create();
    await fresh.run(["ingest", ONE, "--text-only"]);
    const connected = await connect(fresh.project, { HOME: fresh.home });
    const writing = fresh.run(["ingest", SAMPLE, "--text-only"]);
    let answered = 0;
    while (answered < 20) {
      const { isError } = await call("recent", { limit: 3 }, connected);
      expect(isError).toBe(false);
      answered++;
    }
    const { exitCode } = await writing;
    await connected.close();
    expect(exitCode).toBe(0);
  });
});
