import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { enabled } from "../support/enabled.ts";
import { makeRepository, writeSession } from "../support/projects.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";

const OWN = "0a1b2c3d-0000-4000-8000-000000000001";
const EARLIER = "0a1b2c3d-0000-4000-8000-000000000002";
const QUESTION = "how often do we retry the gateway";

let sandbox: Sandbox;
let project: string;
let own: string;

beforeAll(async () => {
  sandbox = await Sandbox.create({ model: "quick" });
  project = await makeRepository(sandbox, "gateway");
  await enabled(sandbox, project);
  const earlier = writeSession(
    sandbox,
    project,
    [["How often do we retry the gateway?", "We retry the gateway three times, a second apart."]],
    { sessionId: EARLIER },
  );
  own = writeSession(
    sandbox,
    project,
    [
      ["Why does the gateway retry so often?", "It retries the gateway three times, as was settled."],
      ["Write that into the readme.", "The readme says how often we retry the gateway."],
    ],
    { sessionId: OWN, day: 4 },
  );
  await sandbox.run(["ingest", earlier, own], { cwd: project });
});
afterAll(() => sandbox[Symbol.asyncDispose]());

const IN_CLAUDE = { CLAUDE_CODE_SESSION_ID: OWN };

interface Answered {
  confidence: string;
  results: { session_id: string; turn_id: number }[];
}

/** What is answered, page after page: matters come first, then what else was found. */
async function asked(command: string[], env: Record<string, string> = {}): Promise<Answered> {
  const { stdout } = await sandbox.run([...command, "--json"], { cwd: project, env });
  const { next_cursor: next = null, ...answer }: Answered & { next_cursor?: string | null } =
    JSON.parse(stdout);
  if (next === null) return answer;
  const rest = await asked([...command.filter((word) => !/^--cursor/.test(word)), `--cursor=${next}`], env);
  return { ...answer, results: [...answer.results, ...rest.results] };
}

/** The sessions of what an answer names. */
const sessionsOf = ({ results }: Answered) => [...new Set(results.map((hit) => hit.session_id))].sort();

test("an agent that Claude Code started gets nothing of what its session still sees", async () => {
  expect(sessionsOf(await asked(["recall", QUESTION]))).toEqual([OWN, EARLIER].sort());
  expect(sessionsOf(await asked(["recall", QUESTION], IN_CLAUDE))).toEqual([EARLIER]);
  expect(sessionsOf(await asked(["recall", "--recent"], IN_CLAUDE))).toEqual([EARLIER]);
});

test("a search in its shell leaves the same out, but for --with-own and a session that is named", async () => {
  expect(sessionsOf(await asked(["search", QUESTION]))).toEqual([OWN, EARLIER].sort());
  expect(sessionsOf(await asked(["search", QUESTION], IN_CLAUDE))).toEqual([EARLIER]);
  expect(sessionsOf(await asked(["search", QUESTION, "--with-own"], IN_CLAUDE))).toEqual(
    [OWN, EARLIER].sort(),
  );
  expect(sessionsOf(await asked(["search", QUESTION, "--session", OWN], IN_CLAUDE))).toEqual([OWN]);
});

test("a subagent sees its own turns and not its session's, whose id it has", async () => {
  const question = 'which port does the "gateway" take';
  const line = (type: string, content: object[], uuid: string) =>
    JSON.stringify({
      ...{ type, uuid, parentUuid: null, sessionId: OWN, agentId: "a77", isSidechain: true, cwd: project },
      ...{ timestamp: "2026-11-04T10:00:00.000Z", message: { role: type, content } },
    });
  const command = `mementor recall 'which port does the "gateway" take' --json`;
  const file = join(dirname(own), OWN, "subagents", "agent-a77.jsonl");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `${[
      line("user", [{ type: "text", text: "Find out which port the gateway takes." }], "u-1"),
      line("assistant", [{ type: "text", text: "The gateway takes port 8443." }], "u-2"),
      line("assistant", [{ type: "tool_use", id: "toolu_1", name: "Bash", input: { command } }], "u-3"),
    ].join("\n")}\n`,
  );
  await sandbox.run(["ingest", file], { cwd: project });
  const found = await asked(["recall", question], IN_CLAUDE);
  expect(sessionsOf(found)).toContain(OWN);
  expect(JSON.stringify(found)).not.toContain("8443");
  // Other words are those of the main conversation.
  expect(sessionsOf(await asked(["recall", QUESTION], IN_CLAUDE))).toEqual([EARLIER]);
});

test("what a fork copied is seen by it before the memory has read its transcript", async () => {
  const fork = "0a1b2c3d-0000-4000-8000-000000000003";
  const lines = readFileSync(own, "utf8").trim().split("\n");
  const copies = lines.slice(0, 2).map((line) => {
    const entry = JSON.parse(line);
    return JSON.stringify({
      ...{ ...entry, uuid: crypto.randomUUID(), sessionId: fork },
      forkedFrom: { sessionId: OWN, messageUuid: entry.uuid },
    });
  });
  writeFileSync(join(dirname(own), `${fork}.jsonl`), `${copies.join("\n")}\n`);
  const found = await asked(["recall", QUESTION], { CLAUDE_CODE_SESSION_ID: fork });
  const text = JSON.stringify(found);
  expect(text).toContain("The readme says how often");
  expect(text).not.toContain("as was settled");
});

test("told lists what agents asked and got, from their transcripts, and stats counts it", async () => {
  const asking = "0a1b2c3d-0000-4000-8000-000000000005";
  const line = (type: string, content: object[], extra: object = {}) =>
    JSON.stringify({
      ...{ type, uuid: crypto.randomUUID(), parentUuid: null, sessionId: asking, isSidechain: false },
      ...{ cwd: project, timestamp: "2026-11-06T10:00:00.000Z", message: { role: type, content }, ...extra },
    });
  const command = `mementor recall '${QUESTION}'`;
  const got =
    "<mementor-memory>\nTurns of earlier sessions (confidence: likely)\n\nturn 1 · today\n> see turn 9\n</mementor-memory>";
  const file = join(dirname(own), `${asking}.jsonl`);
  writeFileSync(
    file,
    `${[
      line("user", [{ type: "text", text: "Mend the gateway." }]),
      line("assistant", [{ type: "tool_use", id: "t1", name: "Bash", input: { command } }]),
      line("user", [{ type: "tool_result", tool_use_id: "t1", content: got }]),
      line("assistant", [
        { type: "tool_use", id: "t2", name: "mcp__mementor__search", input: { query: "gateway" } },
      ]),
      line("user", [{ type: "tool_result", tool_use_id: "t2", content: "Nothing in the memory." }]),
      line("assistant", [{ type: "text", text: "Done." }]),
    ].join("\n")}\n`,
  );
  await sandbox.run(["ingest", file], { cwd: project });
  const json = async (...args: string[]) =>
    JSON.parse((await sandbox.run([...args, "--json"], { cwd: project })).stdout);
  const { asked: listed } = await json("told", "--session", asking);
  expect(listed).toMatchObject([
    { question: "search gateway", got: "got nothing", turns: [] },
    { question: `recall '${QUESTION}'`, got: "got 1 turn, likely: 1", turns: [1] },
  ]);
  expect((await json("report", "--text")).recall.asked).toEqual({ calls: 2 + 1, sessions: 2 });
});

test("what the asker was answered since the last compaction shrinks to a line with its number", async () => {
  const asking = "0a1b2c3d-0000-4000-8000-000000000006";
  const file = join(dirname(own), `${asking}.jsonl`);
  const line = (type: string, content: object[], extra: object = {}) =>
    JSON.stringify({
      ...{ type, uuid: crypto.randomUUID(), parentUuid: null, sessionId: asking, isSidechain: false },
      ...{ cwd: project, timestamp: "2026-11-06T10:00:00.000Z", message: { role: type, content }, ...extra },
    });
  const command = `mementor recall '${QUESTION}'`;
  writeFileSync(file, `${line("user", [{ type: "text", text: "Mend the gateway." }])}\n`);
  const ask = async () =>
    (await sandbox.run(["recall", QUESTION], { cwd: project, env: { CLAUDE_CODE_SESSION_ID: asking } }))
      .stdout;
  const first = await ask();
  expect(first).toContain("three times");
  const used = [{ type: "tool_use", id: "t1", name: "Bash", input: { command } }];
  const result = [{ type: "tool_result", tool_use_id: "t1", content: first }];
  appendFileSync(file, `${line("assistant", used)}\n${line("user", result)}\n`);
  const again = await ask();
  expect(again).not.toContain("three times");
  expect(again).toMatch(/^1\. \(\w+\) shown before: .*, turns? \d/m);
  const boundary = { subtype: "compact_boundary", compactMetadata: { trigger: "auto", preTokens: 9 } };
  appendFileSync(file, `${line("system", [], boundary)}\n`);
  expect(await ask()).toBe(first);
});

test("what came before a compaction is found again, also before the memory has read so far", async () => {
  const long = "0a1b2c3d-0000-4000-8000-000000000004";
  const file = writeSession(
    sandbox,
    project,
    [["How long may a pickup at the gateway take?", "A pickup at the gateway may take nine minutes."]],
    { sessionId: long, day: 5 },
  );
  await sandbox.run(["ingest", file], { cwd: project });
  const isFound = async () => {
    const env = { CLAUDE_CODE_SESSION_ID: long };
    return sessionsOf(await asked(["recall", "how long may a pickup take"], env)).includes(long);
  };
  expect(await isFound()).toBe(false);
  const boundary = {
    ...{
      type: "system",
      subtype: "compact_boundary",
      uuid: crypto.randomUUID(),
      sessionId: long,
      cwd: project,
    },
    ...{ timestamp: "2026-11-05T11:00:00.000Z", compactMetadata: { trigger: "auto", preTokens: 9 } },
  };
  appendFileSync(file, `${JSON.stringify(boundary)}\n`);
  expect(await isFound()).toBe(true);
  await sandbox.run(["ingest", file], { cwd: project });
  expect(await isFound()).toBe(true);
});

describe("the session that a hook notes", () => {
  const hook = (event: string, input: object, env: Record<string, string> = {}, words: string[] = []) =>
    sandbox.run(["hook", event, ...words], {
      cwd: project,
      stdin: JSON.stringify({ cwd: project, ...input }),
      env,
    });
  const started = (sessionId: string, source: string) => ({
    ...{ session_id: sessionId, hook_event_name: "SessionStart", source },
    transcript_path: join(dirname(own), `${sessionId}.jsonl`),
  });

  test("counts for a server, whose variable is stale after /clear", async () => {
    const env = { CLAUDE_PID: String(process.pid) };
    await hook("session-start", started(EARLIER, "startup"), env);
    const client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StdioClientTransport({
        ...{ command: BINARY, args: ["mcp"], cwd: project, stderr: "ignore" },
        env: sandbox.env({ CLAUDE_CODE_SESSION_ID: EARLIER }),
      }),
    );
    const ask = async () =>
      sessionsOf(
        (await client.callTool({ name: "search", arguments: { query: QUESTION } }))
          .structuredContent as unknown as Answered,
      );
    expect(await ask()).not.toContain(EARLIER);
    await hook("session-start", started(OWN, "clear"), env);
    expect(await ask()).not.toContain(OWN);
    expect(await ask()).toContain(EARLIER);
    await client.close();
    // To a command the variable is given anew each time.
    const found = await asked(["recall", QUESTION], { CLAUDE_CODE_SESSION_ID: EARLIER });
    expect(sessionsOf(found)).toContain(OWN);
  });

  test("is found among the processes above where an agent names no session", async () => {
    const codex = { session_id: EARLIER, hook_event_name: "SessionStart", source: "startup", turn_id: "t" };
    await hook("session-start", codex, {}, ["--agent", "codex"]);
    expect(sessionsOf(await asked(["recall", QUESTION]))).not.toContain(EARLIER);
    const noted = readdirSync(join(sandbox.memoryOf(project), "running"));
    expect(noted).toEqual([`${process.pid}.json`]);
  });
});
