import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outcomeOf } from "../support/outcome.ts";
import { Sandbox } from "../support/sandbox.ts";
import { workerDone } from "./client.ts";
import { ingestSample } from "./sample.ts";

const FIXTURES = join(import.meta.dir, "..", "..", "fixtures", "agents");

/** Puts an agent's fixture into the sandbox, with the sandbox's project for the one that its records name. */
function install(sandbox: Sandbox, agent: string, project: string): void {
  cpSync(join(FIXTURES, agent, "home"), sandbox.home, { recursive: true });
  for (const name of readdirSync(sandbox.home, { recursive: true, encoding: "utf8" })) {
    const file = join(sandbox.home, name);
    if (!statSync(file).isFile()) continue;
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(`${project}"`, `${sandbox.project}"`));
  }
}

async function json(sandbox: Sandbox, ...args: string[]) {
  const { stdout, stderr, exitCode } = await sandbox.run([...args, "--json"]);
  expect({ stderr: stderr.replace(/^Reading .*\n/gm, ""), exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return JSON.parse(stdout);
}

test("enable reads the history of every agent, and lists tell whose it is", async () => {
  await using sandbox = await Sandbox.create();
  install(sandbox, "codex", "/home/dev/kettle");
  const enabled = await json(sandbox, "enable", "--history");
  expect(enabled.history).toMatchObject({ sessions: 6, agents: { codex: 6 } });
  expect((await json(sandbox, "ingest", "--text-only")).files).toMatchObject({
    read: 0,
    unchanged: 8,
  });
  const { sessions, total } = await json(sandbox, "sessions", "--from", "codex");
  expect([total, new Set(sessions.map(({ client }: { client: string }) => client))]).toEqual([
    6,
    new Set(["codex"]),
  ]);
  expect((await json(sandbox, "sessions", "--from", "claude-code")).total).toBe(0);
  expect((await json(sandbox, "report", "--text")).clients).toEqual([
    { client: "codex", sessions: 6, turns: 13 },
  ]);
  const listed = (await sandbox.run(["sessions"])).stdout;
  expect(listed).toContain("[Codex] One clock");
  const shown = (await sandbox.run(["search", "one clock for all timers", "--mode", "keyword", "-k", "1"]))
    .stdout;
  expect(shown).toContain("with Codex");
});

test("enable counts conversations, not the files that a resumed session leaves", async () => {
  await using sandbox = await Sandbox.create();
  install(sandbox, "gemini", "/home/dev/kiln");
  writeFileSync(join(sandbox.home, ".gemini/tmp/kiln/.project_root"), sandbox.project);
  const { history } = await json(sandbox, "enable", "--history");
  expect(history).toMatchObject({ sessions: 2, agents: { gemini: 2 } });
  expect((await json(sandbox, "sessions")).total).toBe(2);
});

test("disable names hooks and MCP servers by what they are", async () => {
  await using sandbox = await Sandbox.create();
  mkdirSync(join(sandbox.home, ".cline/data"), { recursive: true });
  await json(sandbox, "enable", "--no-history", "--for", "cline");
  const { stdout } = await sandbox.run(["disable"]);
  const lines = stdout.split("\n").map((line) => line.replaceAll(sandbox.root, "").replace(/ +\S+\//, " "));
  expect(lines).toEqual([
    "Disabled  /project",
    "Hooks settings.local.json (file removed)",
    "MCP cline_mcp_settings.json (file removed)",
    "Memory    kept; delete it with --purge",
    "Again     mementor enable",
    "",
  ]);
});

describe("hooks of other agents", () => {
  const PROMPT =
    "why does the link checker wait per host with a token bucket instead of lowering the global concurrency?";
  const SESSION = "5f0c9b7e-2d41-4c8a-9e36-7b1a0d3f6c20";
  let sandbox: Sandbox;

  beforeAll(async () => {
    sandbox = await Sandbox.create();
    for (const name of [".codex", ".gemini", ".qwen", ".copilot", ".cline/data"])
      mkdirSync(join(sandbox.home, name), { recursive: true });
    writeFileSync(join(sandbox.home, ".gemini", "settings.json"), '{ "ui": {} }\n');
    const projects = join(sandbox.home, ".claude/projects");
    cpSync(join(FIXTURES, "../transcripts/sample/projects"), projects, { recursive: true });
    const { agents, mcp } = await json(sandbox, "enable", "--no-history", "--for", "all");
    expect(mcp.map(({ id, change }: AgentChange) => [id, change])).toEqual([["cline", "created"]]);
    expect(agents.map(({ id, change, untrusted }: AgentChange) => [id, change, untrusted])).toEqual([
      ["codex", "created", 7],
      ["gemini", "changed", 0],
      ["qwen", "created", 0],
      ["copilot", "created", 0],
    ]);
    await ingestSample(sandbox);
    expect((await sandbox.run(["ingest", projects])).exitCode).toBe(0);
  });
  afterAll(async () => {
    await workerDone(sandbox);
    await sandbox[Symbol.asyncDispose]();
  });

  /** What an agent gives its hook for a prompt of a session. */
  const inputs: Record<string, (prompt: string, session: string) => object> = {
    codex: (prompt, session) => ({
      session_id: session,
      turn_id: session,
      transcript_path: `${sandbox.home}/.codex/sessions/2026/03/04/rollout-2026-03-04T09-00-00-${session}.jsonl`,
      hook_event_name: "UserPromptSubmit",
      prompt,
    }),
    gemini: (prompt, session) => ({
      session_id: session,
      transcript_path: `${sandbox.home}/.gemini/tmp/p/chats/session-2026-03-04T09-00-${session.slice(0, 8)}.jsonl`,
      hook_event_name: "BeforeAgent",
      prompt: `<hook_context>Notes at the start</hook_context>\n\n${prompt}`,
    }),
    qwen: (prompt, session) => ({
      session_id: session,
      transcript_path: `${sandbox.home}/.qwen/projects/-p/chats/${session}.jsonl`,
      hook_event_name: "UserPromptSubmit",
      prompt,
    }),
    copilot: (prompt, session) => ({ sessionId: session, timestamp: 1, prompt }),
  };

  /** Runs the command that stands in the agent's settings, as the agent does. */
  async function ask(agent: string, prompt: string, more: object = {}, env: Record<string, string> = {}) {
    return run(commandOf(agent), { ...inputOf(agent, prompt), ...more }, env);
  }

  function inputOf(agent: string, prompt: string): object {
    const session = SESSION.replace("5f0c9b7e", Bun.hash(agent).toString(16).slice(0, 8));
    return { ...inputs[agent]?.(prompt, session), cwd: sandbox.project };
  }

  async function run(command: string, input: object, env: Record<string, string> = {}) {
    const child = Bun.spawn(["sh", "-c", command], {
      cwd: "/",
      env: sandbox.env({ CLAUDE_PROJECT_DIR: "/nowhere", ...env }),
      stdin: Buffer.from(JSON.stringify(input)),
      stdout: "pipe",
      stderr: "pipe",
    });
    const { stdout, stderr, exitCode } = await outcomeOf(child);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    return stdout;
  }

  function commandOf(agent: string): string {
    const file = { codex: ".codex/hooks.json", copilot: ".copilot/hooks/mementor.json" }[agent];
    const text = readFileSync(join(sandbox.home, file ?? `.${agent}/settings.json`), "utf8");
    const found = /"(?:command|bash)": ?("(?:[^"\\]|\\.)*hook user-prompt-submit(?:[^"\\]|\\.)*")/.exec(text);
    return JSON.parse(found?.[1] ?? '""');
  }

  test.each(Object.keys(inputs))("%s is told, once for each prompt, in its own form", async (agent) => {
    expect(await ask(agent, "ok thanks")).toBe("");
    const answer = JSON.parse(await ask(agent, PROMPT));
    const context = answer.additionalContext ?? answer.hookSpecificOutput.additionalContext;
    expect(context).toContain("token bucket");
    expect(context.length).toBeLessThanOrEqual(1_000);
    expect(await ask(agent, PROMPT)).toBe("");
    if (agent === "gemini") expect(answer.hookSpecificOutput.hookEventName).toBe("BeforeAgent");
    expect(Object.keys(answer)).toEqual([agent === "copilot" ? "additionalContext" : "hookSpecificOutput"]);
  });

  test("rounds of tools, subagents and unknown clients get silence", async () => {
    expect(await ask("qwen", "")).toBe("");
    expect(await ask("codex", PROMPT, { agent_id: "a1", turn_id: "t2" })).toBe("");
    expect(await ask("copilot", PROMPT, { sessionId: "s2", agentId: "a1" })).toBe("");
    expect(await ask("codex", PROMPT, { conversation_id: "c", turn_id: "t3" })).toBe("");
    expect(await ask("codex", PROMPT, { cwd: "/", turn_id: "t4" })).toBe("");
  });

  describe("that run Claude Code's hooks", () => {
    /** The command for a prompt in Claude Code's settings of the project. */
    const command = () => {
      for (const name of ["settings.json", "settings.local.json"]) {
        const file = join(sandbox.project, ".claude", name);
        if (!existsSync(file)) continue;
        return JSON.parse(readFileSync(file, "utf8")).hooks.UserPromptSubmit[0].hooks[0].command;
      }
      return expect.unreachable("no settings");
    };
    /** What other turns answer than those that a session was told for the first prompt. */
    const OTHER =
      "Why do we keep the bookmarks in SQLite with FTS5 instead of one JSON file, and what about LMDB on Windows?";
    /** What the client itself sets, whatever else it inherits. */
    const variables: Record<string, Record<string, string>> = {
      gemini: { GEMINI_SESSION_ID: "x", GEMINI_PROJECT_DIR: "/nowhere" },
      qwen: { QWEN_PROJECT_DIR: "/nowhere", GEMINI_PROJECT_DIR: "/nowhere" },
    };

    test.each(["codex", "gemini", "qwen", "copilot"])("%s is told once, in its own form", async (agent) => {
      const input = { ...inputOf(agent, OTHER), ...(agent === "codex" && { turn_id: "another" }) };
      const answer = JSON.parse(await run(command(), input, variables[agent]));
      expect(Object.keys(answer)).toEqual([agent === "copilot" ? "additionalContext" : "hookSpecificOutput"]);
      if (agent === "gemini") expect(answer.hookSpecificOutput.hookEventName).toBe("BeforeAgent");
      expect(await run(command(), input, variables[agent])).toBe("");
      expect(await run(commandOf(agent), input, variables[agent])).toBe("");
    });

    test("cursor is told once, in the form of the hooks that it runs", async () => {
      const fields = {
        conversation_id: "c",
        generation_id: "g",
        cursor_version: "3.1",
        workspace_roots: ["/p"],
      };
      const input = { hook_event_name: "UserPromptSubmit", prompt: OTHER, cwd: sandbox.project, ...fields };
      expect(Object.keys(JSON.parse(await run(command(), input)))).toEqual(["hookSpecificOutput"]);
      expect(await run(command(), input)).toBe("");
    });

    test.each([
      ["Cursor, whose fields look like Claude Code's", { session_id: SESSION, cursor_version: "3.1" }],
      ["a client with events of its own", { session_id: SESSION, hook_event_name: "beforeSubmitPrompt" }],
    ])("%s gets silence", async (_, fields) => {
      const input = { hook_event_name: "UserPromptSubmit", prompt: OTHER, cwd: sandbox.project, ...fields };
      expect(await run(command(), input)).toBe("");
      expect(await run(commandOf("codex"), input)).toBe("");
    });

    test("Claude Code itself is told, also in a terminal of another agent", async () => {
      const input = {
        session_id: "0a000000-0000-4000-8000-000000000001",
        hook_event_name: "UserPromptSubmit",
        prompt: OTHER,
        cwd: sandbox.project,
      };
      const transcript_path = join(sandbox.home, `.claude/projects/-p/${SESSION}.jsonl`);
      const env = { ...variables.gemini, CLAUDE_PROJECT_DIR: sandbox.project };
      const answer = JSON.parse(await run(command(), { ...input, transcript_path }, env));
      expect(answer.hookSpecificOutput.hookEventName).toBe("UserPromptSubmit");
    });
  });

  test("status and doctor tell that Codex does not trust them yet", async () => {
    const { agents, servers } = await json(sandbox, "status");
    expect(servers.map(({ id }: AgentChange) => id)).toEqual(["cline"]);
    expect(agents.map(({ id, untrusted }: AgentChange) => [id, untrusted])).toEqual([
      ["codex", 7],
      ["gemini", 0],
      ["qwen", 0],
      ["copilot", 0],
      ["cursor", 0],
      ["droid", 0],
      ["opencode", 0],
    ]);
    expect((await sandbox.run(["status"])).stdout).toContain('type "/hooks" in Codex');
  });

  test("the MCP server that an agent starts by its settings serves the project", async () => {
    const file = join(sandbox.home, ".cline/data/settings/cline_mcp_settings.json");
    const { command, args } = JSON.parse(readFileSync(file, "utf8")).mcpServers.mementor;
    const call = (id: number, method: string, params: object) =>
      `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
    const client = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const question = { name: "search", arguments: { query: "token bucket per host", mode: "keyword" } };
    const server = Bun.spawn([command, ...args], {
      cwd: sandbox.project,
      env: sandbox.env(),
      stdin: Buffer.from(call(1, "initialize", client) + call(2, "tools/call", question)),
      stdout: "pipe",
    });
    expect(await server.stdout.text()).toContain("Notes from the memory of this project");
    expect(await server.exited).toBe(0);
  });

  test("disable takes out what was written, to the byte", async () => {
    await sandbox.run(["disable"]);
    expect(readFileSync(join(sandbox.home, ".gemini/settings.json"), "utf8")).toBe('{ "ui": {} }\n');
    for (const name of [".codex", ".qwen", ".copilot"])
      expect(readdirSync(join(sandbox.home, name))).toEqual([]);
    expect(readdirSync(join(sandbox.home, ".cline/data/settings"))).toEqual([]);
  });
});

interface AgentChange {
  id: string;
  change: string;
  untrusted: number;
}
