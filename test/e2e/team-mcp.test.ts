import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CallToolResultSchema, type TextContent } from "@modelcontextprotocol/sdk/types.js";
import { listedTools } from "../../src/mcp/tools.ts";
import { startTeam, type TestTeam } from "../support/postgres/team.ts";
import { fillBoth } from "../support/sample-memory.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";

const SESSION = "1b7c0a52-6f1e-4c7d-9a35-2d0e8f41c601";
const CLOCK = { MEMENTOR_NOW: "2026-11-22T12:00:00Z", TZ: "UTC" };

let team: TestTeam;
let sandbox: Sandbox;
let fromServer: Client;
let fromFile: Client;

async function serve(database: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const args = ["mcp", "--db", database];
  const env = sandbox.env(CLOCK);
  await client.connect(
    new StdioClientTransport({ command: BINARY, args, cwd: sandbox.project, env, stderr: "ignore" }),
  );
  // The client checks every structured answer against the tool's schema once it knows the tools.
  await client.listTools();
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>) {
  const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: args }));
  const text = result.content.map((part) => (part as TextContent).text).join("\n");
  return { text, isError: result.isError === true, data: result.structuredContent };
}

beforeAll(async () => {
  team = await startTeam();
  sandbox = await Sandbox.create();
  await sandbox.nameServers(team.urlOf("ada"), "127.0.0.1:1");
  const file = join(sandbox.root, "memory.db");
  await fillBoth(file, team, "tidemark", "ada");
  fromServer = await serve(team.urlOf("ada"));
  fromFile = await serve(file);
});
afterAll(async () => {
  await Promise.all([fromServer.close(), fromFile.close()]);
  await sandbox[Symbol.asyncDispose]();
  await team[Symbol.asyncDispose]();
});

describe("MCP with --db and a team's database", () => {
  test("a server with --db starts like one without, with the same tools", async () => {
    expect(fromServer.getServerVersion()?.name).toBe("mementor");
    expect((await fromServer.listTools()).tools).toEqual(listedTools());
  });

  test.each<[string, Record<string, unknown>]>([
    ["search", { query: "why did we choose sqlite for the bookmarks", limit: 3 }],
    ["search", { query: "rate limit", mode: "keyword", file: "src/", max_tokens: 800 }],
    ["show", { turn: 1, to_turn: 2 }],
    ["show", { session: SESSION }],
    ["sessions", { limit: 3 }],
    ["sessions", { branch: "feat/store" }],
    ["file_history", { path: "src/db/schema.ts" }],
    ["recent", { limit: 5 }],
  ])("%s %p answers as from a file", async (name, args) => {
    const answer = await call(fromServer, name, args);
    expect(answer.isError).toBe(false);
    expect(answer).toEqual(await call(fromFile, name, args));
  });

  test("search_elsewhere with `team` asks the same server, and names it in the commands that follow", async () => {
    const answer = await call(fromServer, "search_elsewhere", {
      query: "sqlite",
      mode: "keyword",
      team: true,
    });
    expect(answer.text).toContain(`mementor --db ${team.urlOf("ada")}`);
  });

  test("a note has no place there, and that is said", async () => {
    expect(await call(fromServer, "note", { text: "Dates are UTC." })).toMatchObject({
      isError: true,
      text: "This works only with the local memory, not with a team's database.\nLeave out --db.",
    });
  });

  test("a server that does not answer is an error of the call, not of the process", async () => {
    const away = await serve("postgres://ada@127.0.0.1:1/postgres");
    for (const [name, args] of [
      ["search", { query: "sqlite" }],
      ["search_elsewhere", { query: "sqlite", team: true }],
    ] as const) {
      const { isError, text } = await call(away, name, args);
      expect(isError).toBe(true);
      expect(text).toContain("postgres://ada@127.0.0.1:1/postgres");
    }
    await away.close();
  });
});
