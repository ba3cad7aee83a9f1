import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { loadCommands } from "../../src/cli/command-line/parse.ts";
import { type Lock, tryLock } from "../../src/io/lock.ts";
import { saveTeam } from "../../src/sync/team/settings.ts";
import { openStore } from "../store/builders.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { writeTinyModel } from "../support/tiny-model.ts";
import { ingestSample, SAMPLE } from "./sample.ts";

const SESSION = "1b7c0a52-6f1e-4c7d-9a35-2d0e8f41c601";
/** The session, and the one with a pull request. */
const FEW = [SESSION, "4e0f6d18-93ab-4f0c-8c1b-7a5b0c2d9e02"].map((id) =>
  join(SAMPLE, "projects/-home-dev-tidemark", `${id}.jsonl`),
);

const HELLO = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const SEARCH = {
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: { name: "search", arguments: { query: "why did we choose sqlite" } },
};

const strace = Bun.which("strace");
/** Tracing may be forbidden, in a container for instance. */
const why =
  strace === null
    ? "strace is not installed"
    : Bun.spawnSync([strace, "-f", "-e", "trace=network", "true"]).exitCode === 0
      ? null
      : "strace may not trace here";

/** Lets the kernel stop a program for these calls alone: half as much work. An older strace stops it for all. */
const FILTERED =
  strace !== null && Bun.spawnSync([strace, "-f", "--seccomp-bpf", "true"]).exitCode === 0
    ? ["--seccomp-bpf"]
    : [];

const CALL = /^(?:socket|connect|sendto|sendmsg|bind)\(/;

interface Traced {
  name: string;
  args: readonly string[];
  stdin?: string;
  exitCode?: number;
}

const hook = (event: string, more: object = {}): Traced => ({
  name: `hook ${event}`,
  args: ["hook", event],
  stdin: JSON.stringify({
    session_id: "99999999-0000-4000-8000-000000000001",
    // As Claude Code names it: UserPromptSubmit. An unknown name would get silence.
    hook_event_name: event.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    ...more,
  }),
});
const command = (...args: string[]): Traced => ({ name: args.join(" "), args });

/** In this order, so that later ones have something to work on. */
const TRACED: readonly Traced[] = [
  command("--help"),
  command("enable", "--no-history"),
  { name: "ingest", args: ["ingest", ...FEW] },
  command("search", "why did we choose sqlite"),
  command("recall", "why did we move the bookmarks to sqlite instead of lmdb?"),
  command("show", "1"),
  command("sessions"),
  command("show", SESSION, "--turns"),
  command("files"),
  command("commits"),
  command("commits", "--prs"),
  command("recent"),
  command("show", "1", "--related"),
  command("report", "--text"),
  command("told"),
  command("show", "1", "--resume"),
  command("prepare"),
  command("report", "--html", "report.html"),
  command("status"),
  command("config"),
  command("told", "--log"),
  hook("session-start", { source: "startup" }),
  hook("user-prompt-submit", { prompt: "why did we move the bookmarks to sqlite instead of lmdb?" }),
  hook("pre-tool-use", { tool_name: "Edit", tool_input: { file_path: "src/db/schema.ts" } }),
  hook("subagent-start", { agent_id: "a", agent_type: "Explore" }),
  hook("user-prompt-expansion", { command_name: "run", command_args: "the bookmarks from sqlite again" }),
  hook("pre-compact", { trigger: "manual" }),
  hook("stop", { transcript_path: join(SAMPLE, `${SESSION}.jsonl`) }),
  hook("session-end", { reason: "exit" }),
  command("work"),
  command("mark", "good"),
  command("mark", "bad"),
  command("mark", "mute", "2"),
  command("mark", "pin", "3"),
  command("note", "Bookmarks stay in SQLite"),
  command("mark"),
  command("note", "1", "--to", "CLAUDE.md", "--print"),
  command("sync", "../devices", "--as", "app"),
  command("sync", "status"),
  command("search", "sqlite", "--all-projects"),
  { name: "mcp", args: ["mcp"], stdin: `${JSON.stringify(HELLO)}\n${JSON.stringify(SEARCH)}\n` },
  command("export", "-o", "memory.jsonl"),
  command("import", "memory.jsonl"),
  command("model", "list"),
  command("model", "import", "../tiny"),
  command("model", "use", "tiny"),
  command("search", "sqlite", "--mode", "vector"),
  { ...command("model", "use", "acme/never-asked"), exitCode: 64 },
  command("doctor", "--secrets", "--fix"),
  command("forget", "1", "--yes"),
  command("forget", "--before", "100y", "--prune", "--yes"),
  { ...command("plugin", "path"), exitCode: 1 },
  command("completions", "bash"),
  command("complete", "show", ""),
  command("licenses"),
  command("doctor"),
  command("team", "preview"),
  { ...command("team", "status"), exitCode: 1 },
  { ...command("team", "unshare", "1"), exitCode: 1 },
  command("disable"),
  command("upgrade"),
  command("uninstall", "--yes"),
];

const title = `no command opens a network connection${why === null ? "" : ` (${why})`}`;

describe.skipIf(why !== null)(title, () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await Sandbox.create({ cacheDir: null });
    await writeTinyModel(join(sandbox.root, "tiny"));
    mkdirSync(join(sandbox.root, "devices"));
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  test("the trace shows a connection where there is one", async () => {
    const code = 'await fetch("http://127.0.0.1:9").catch(() => {})';
    const { calls } = await trace(sandbox, [process.execPath, "-e", code]);
    expect(calls).toContainEqual(expect.stringContaining("AF_INET"));
  });

  test("no command is left out", async () => {
    const traced = new Set(TRACED.map(({ args }) => args[0]));
    expect((await loadCommands()).map(({ name }) => name).filter((name) => !traced.has(name))).toEqual([]);
  });

  test.each(TRACED)("$name", async ({ args, stdin, exitCode = 0 }) => {
    expect(await trace(sandbox, [BINARY, ...args], stdin)).toEqual({ exitCode, calls: [] });
  });
});

/** What a hook is asked for, of a memory with a team. */
const HOOKS = TRACED.filter(({ args }) => args[0] === "hook");

describe.skipIf(why !== null)(`with a team, only \`team\` and the worker open a connection`, () => {
  let sandbox: Sandbox;
  let worker: Lock | null;
  beforeAll(async () => {
    sandbox = await Sandbox.create();
    await sandbox.run(["enable", "--no-history"]);
    await ingestSample(sandbox);
    await joinNobody(sandbox);
    // The worker that a hook starts ends at once, so that only the hook is traced.
    worker = tryLock(sandbox.memory("worker.lock"));
  });
  afterAll(async () => {
    worker?.release();
    await sandbox[Symbol.asyncDispose]();
  });

  test.each([
    ...HOOKS,
    command("search", "why did we choose sqlite"),
    command("status"),
    command("team", "preview"),
  ])("$name opens none", async ({ args, stdin }) => {
    expect(await trace(sandbox, [BINARY, ...args], stdin)).toEqual({ exitCode: 0, calls: [] });
  });

  test.each([command("team", "sync"), command("team", "status"), command("search", "sqlite", "--team")])(
    "$name opens one",
    async ({ args }) => {
      const { calls } = await trace(sandbox, [BINARY, ...args]);
      expect(calls).toContainEqual(expect.stringContaining("AF_INET"));
    },
  );
});

/** Makes a memory that of a member whose server nobody answers for. */
async function joinNobody(sandbox: Sandbox): Promise<void> {
  const store = await openStore(sandbox.memory("mementor.db"));
  await store.team.join({ project: "shop", author: "ada" });
  await store.team.share({ since: null, branches: [], onlyMarked: false, subagents: false });
  await store.close();
  saveTeam(join(sandbox.home, ".config", "mementor"), basename(sandbox.memory()), {
    url: "postgres://ada@127.0.0.1:9/memory",
    password: null,
    project: "shop",
    isInsecure: false,
  });
}

/** The C library's look-up of the account, which asks a cache on this machine. */
const ACCOUNT = /^socket\(AF_UNIX.*\nconnect\(.*"\/var\/run\/nscd\/socket".*$/gm;

/** Runs a program and all that it starts; returns its calls that open or use a socket, of whatever family. */
async function trace(sandbox: Sandbox, program: readonly string[], stdin?: string) {
  const prefix = join(sandbox.root, `trace-${Bun.randomUUIDv7()}`);
  const child = Bun.spawn(
    [strace ?? "", "-ff", ...FILTERED, "-qq", "-e", "trace=network", "-o", prefix, ...program],
    {
      cwd: sandbox.project,
      env: sandbox.env(),
      stdin: stdin === undefined ? "ignore" : Buffer.from(stdin),
      stdout: "ignore",
      stderr: "ignore",
    },
  );
  const exitCode = await child.exited;
  const files = readdirSync(sandbox.root).filter((name) => join(sandbox.root, name).startsWith(prefix));
  expect(files.length).toBeGreaterThan(0);
  const texts = await Promise.all(files.map((name) => Bun.file(join(sandbox.root, name)).text()));
  const calls = texts
    .flatMap((text) => text.replace(ACCOUNT, "").split("\n"))
    .filter((line) => CALL.test(line));
  return { exitCode, calls };
}
