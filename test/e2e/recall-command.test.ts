import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { pluginFiles } from "../../src/setup/plugin/plugin.ts";
import { makeRepository, type Talk } from "../support/projects.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { makeProject } from "./project.ts";

const OURS: Talk = [["Which queue do we use for mails?", "Postgres with SKIP LOCKED, no broker."]];
const PRIVATE: Talk = [["Which queue do we use for payments?", "RabbitMQ, the password rotates weekly."]];

let sandbox: Sandbox;
let ours: string;
let other: string;
let server: Server;
let url: string;
let connections = 0;

beforeAll(async () => {
  sandbox = await Sandbox.create();
  ours = await makeProject(sandbox, "mail", OURS);
  other = await makeProject(sandbox, "pay", PRIVATE);
  server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `postgres://data@127.0.0.1:${typeof address === "object" ? address?.port : 0}/data`;
});
afterAll(async () => {
  server.close();
  await sandbox[Symbol.asyncDispose]();
});

/** What the skill and the command of the plugin allow on the command line, without the rule around it. */
function approved(): string[] {
  const texts = pluginFiles().filter(({ path }) => path.endsWith(".md"));
  const rules = texts.flatMap(({ text }) => [...text.matchAll(/Bash\(([^)]*):\*\)/g)]);
  return [...new Set(rules.map(([, prefix]) => prefix ?? ""))];
}

/** Whether this machine can trace the calls of a process. */
const canTrace = Bun.which("strace") !== null;

/** How to run the program so that its sockets are known when it has ended. */
function traced(args: readonly string[]) {
  const file = join(sandbox.root, `trace-${crypto.randomUUID()}`);
  const words = ["strace", "-f", "-qq", "-e", "trace=socket,connect,sendto", "-o", file, BINARY, ...args];
  return { words, sockets: () => readFileSync(file, "utf8").match(/\b(?:socket|connect|sendto)\(.*/g) ?? [] };
}

/** Each thing that the approved command can be asked. */
const FORMS: [string, string[]][] = [
  ["a question", ["which queue do we use"]],
  ["a turn", ["--show", "1"]],
  ["a file", ["--file", "src/mail.ts"]],
  ["the latest turns", ["--recent"]],
  ["the sessions", ["--sessions"]],
];

test("one command is allowed beforehand", () => {
  expect(approved()).toEqual(["mementor recall"]);
});

test("it answers in the project that it runs in, framed as a quote", async () => {
  const { stdout, exitCode } = await sandbox.run(["recall", "which queue do we use"], { cwd: ours });
  expect(exitCode).toBe(0);
  expect(stdout).toStartWith("<mementor-memory>\n");
  expect(stdout).toContain("Postgres with SKIP LOCKED");
  expect(stdout).not.toContain("RabbitMQ");
  const shown = await sandbox.run(["recall", "--show", "1", "--json"], { cwd: ours });
  expect(JSON.parse(shown.stdout).results).toMatchObject([{ turn_id: 1 }]);
  for (const args of [["--recent"], ["--sessions"]])
    expect((await sandbox.run(["recall", ...args], { cwd: ours })).stdout).toContain("Which queue");
});

describe.each(FORMS)("%s", (_, form) => {
  const beyond: [string, () => string[]][] = [
    ["another directory", () => ["-C", other]],
    ["another directory in one word", () => [`-C${other}`]],
    ["another project", () => ["--project", other]],
    ["a server", () => ["--db", url]],
    ["a server in one word", () => [`--db=${url}`]],
    ["another file", () => ["--db", join(sandbox.memoryOf(other), "mementor.db")]],
    ["all projects", () => ["--all-projects"]],
    ["the team's server", () => ["--team"]],
    ["a server without TLS", () => ["--insecure"]],
    ["whatever else", () => ["--explain"]],
  ];
  test.each(beyond)("with %s is refused before anything is opened", async (_name, options) => {
    const before = connections;
    for (const args of [
      [...form, ...options()],
      [...options(), ...form],
    ]) {
      const { exitCode, stdout } = await sandbox.run(["recall", ...args], {
        cwd: ours,
        env: { PGPASSWORD: "secret" },
      });
      expect({ args, exitCode, stdout }).toEqual({ args, exitCode: 64, stdout: "" });
    }
    expect(connections).toBe(before);
  });

  test.skipIf(!canTrace)("opens no socket", async () => {
    const { words, sockets } = traced(["recall", ...form]);
    const run = Bun.spawn(words, { cwd: ours, env: sandbox.env(), stdout: "ignore", stderr: "ignore" });
    expect(await run.exited).toBeLessThan(2);
    expect(sockets()).toEqual([]);
  });
});

describe("the tools that are allowed beforehand", () => {
  const texts = pluginFiles().map(({ text }) => text);
  const tools = new Set(texts.flatMap((text) => text.match(/(?<=mcp__plugin_mementor_memory__)\w+/g) ?? []));

  test("only read, in this project", () => {
    expect([...tools].sort()).toEqual(["file_history", "recent", "search", "sessions", "show"]);
  });

  test.skipIf(!canTrace)("open no socket, and refuse what leads elsewhere", async () => {
    const { words, sockets } = traced(["mcp"]);
    const [command = "", ...args] = words;
    const client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StdioClientTransport({ command, args, cwd: ours, env: sandbox.env(), stderr: "ignore" }),
    );
    const asked: Record<string, object> = {
      ...{ search: { query: "queue" }, show: { turn: 1 }, sessions: {}, recent: {} },
      file_history: { path: "src/mail.ts" },
    };
    for (const name of tools) {
      await client.callTool({ name, arguments: { ...asked[name] } });
      for (const beyond of [{ project: other }, { project: "*" }, { team: true }, { db: url }]) {
        const answer = await client.callTool({ name, arguments: { ...asked[name], ...beyond } });
        const text = JSON.stringify(answer.content);
        expect({ name, isError: answer.isError }).toEqual({ name, isError: true });
        expect(text).not.toContain("RabbitMQ");
        if (!("db" in beyond)) expect(text).toContain("search_elsewhere");
      }
    }
    await client.close();
    expect(sockets()).toEqual([]);
  });

  test("what leads elsewhere is asked of a tool that is not among them", async () => {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StdioClientTransport({ command: BINARY, args: ["mcp"], cwd: ours, env: sandbox.env() }),
    );
    const ask = async (args: Record<string, unknown>) =>
      JSON.stringify(await client.callTool({ name: "search_elsewhere", arguments: args }));
    expect(await ask({ query: "queue for payments", project: "*" })).toContain("RabbitMQ");
    expect(await ask({ turn: 1, project: other })).toContain("RabbitMQ");
    expect(await ask({ query: "queue" })).toContain("Name the project");
    await client.close();
  });
});

test("a project that is not enabled gets an answer that says so, whatever is stored of it", async () => {
  const never = await makeRepository(sandbox, "never");
  const answer = await sandbox.run(["recall", "queue"], { cwd: never });
  expect(answer).toMatchObject({ exitCode: 1, stdout: "" });
  expect(answer.stderr).toContain(`mementor is not enabled in ${never}`);
  const off = await makeProject(sandbox, "off", PRIVATE);
  await sandbox.run(["disable"], { cwd: off });
  const disabled = await sandbox.run(["recall", "--recent"], { cwd: off });
  expect({ exitCode: disabled.exitCode, stdout: disabled.stdout }).toEqual({ exitCode: 1, stdout: "" });
});

test("a question may come from a quoted heredoc", async () => {
  const line = `"${BINARY}" recall <<'EOF'\nwhich \`queue\` do "we" use, and isn't $it one?\nEOF`;
  const run = Bun.spawn(["sh", "-c", line], { cwd: ours, env: sandbox.env() });
  expect(await run.stdout.text()).toContain("Postgres with SKIP LOCKED");
  expect(await run.exited).toBe(0);
});

test("no question comes from a file: an answer names words of it, and the command may be run unasked", async () => {
  const secret = join(sandbox.root, "vault.env");
  writeFileSync(secret, "the_vault_key=hunter2.internal:/srv/room9\n");
  for (const line of [`"${BINARY}" recall < "${secret}"`, `"${BINARY}" recall --json < "${secret}"`]) {
    const run = Bun.spawn(["sh", "-c", line], { cwd: ours, env: sandbox.env(), stderr: "pipe" });
    const [stdout, stderr] = await Promise.all([run.stdout.text(), run.stderr.text()]);
    expect([await run.exited, stdout]).toEqual([64, ""]);
    expect(stderr).toContain("not from a file");
    expect(stderr).not.toContain("room9");
  }
  for (const line of ['"$0" recall --recent < "$1"', 'printf "which queue do we use" | "$0" recall']) {
    const run = Bun.spawn(["sh", "-c", line, BINARY, secret], { cwd: ours, env: sandbox.env() });
    expect([await run.exited, await run.stdout.text()]).toEqual([0, expect.stringContaining("queue")]);
  }
});

test("its help names no option that it refuses", async () => {
  for (const args of [
    ["recall", "--help"],
    ["help", "recall", "--man"],
  ]) {
    const { stdout } = await sandbox.run(args);
    expect(stdout).toMatch(/cursor/);
    expect(stdout.replaceAll("\\-", "-")).not.toMatch(/--(?:project|db|insecure)\b|-C\b/);
  }
});

/** Each of these was tried behind the command that agents may run without a question. */
test.each([
  "$(touch ran)",
  "`touch ran`",
  "<(touch ran)",
  "${x:=$(touch ran)}",
  "; touch ran",
  "&& touch ran",
  "& touch ran",
  "\ntouch ran",
  "| tee ran",
  "> ran",
  "--show=$(touch ran)",
  "-C / queue; touch ran",
  "' ; touch ran ; '",
])("nothing of a question is run or written: %j", async (question) => {
  await sandbox.run(["recall", question], { cwd: ours });
  await sandbox.run(["recall"], { cwd: ours, stdin: question });
  await sandbox.run(["recall", "--file", question], { cwd: ours });
  expect(existsSync(join(ours, "ran"))).toBe(false);
});

test("where nothing or several things are asked, says what can be", async () => {
  mkdirSync(join(ours, "src"), { recursive: true });
  for (const args of [[], ["queue", "--recent"], ["--show", "1", "--sessions"]]) {
    const { exitCode, stderr } = await sandbox.run(["recall", ...args], { cwd: ours });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining("--show <turn>"),
    });
  }
});
