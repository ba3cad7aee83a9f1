import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { change, databaseIn, installDatabase } from "../agents/opencode/home.ts";
import { enabled } from "../support/enabled.ts";
import { outcomeOf } from "../support/outcome.ts";
import { IMPATIENT, Sandbox } from "../support/sandbox.ts";
import { workerDone } from "./client.ts";
import { ingestSample } from "./sample.ts";

const SAMPLE = join(import.meta.dir, "../../fixtures/transcripts/sample/projects");
const PROMPT =
  "why does the link checker wait per host with a token bucket instead of lowering the global concurrency?";
let sandbox: Sandbox;
const pluginFile = () => join(sandbox.home, ".config/opencode/plugin/mementor.js");

beforeAll(async () => {
  sandbox = await Sandbox.create();
  const projects = join(sandbox.home, ".claude/projects");
  cpSync(SAMPLE, projects, { recursive: true });
  mkdirSync(join(sandbox.home, ".config/opencode"), { recursive: true });
  await enabled(sandbox);
  await ingestSample(sandbox);
  expect((await sandbox.run(["ingest", projects])).exitCode).toBe(0);
});
afterAll(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

/** A message of the user as opencode gives it to plugins. */
const message = (sessionID: string, id: string, text: string, more: object = {}) => ({
  info: { id, sessionID, role: "user" },
  parts: [{ id: `prt_${id}`, sessionID, messageID: id, type: "text", text, ...more }],
});

type Step = [hook: string, input: object, output?: object];

/**
 * Loads the plugin that is installed in a process of its own, as opencode does, and calls its hooks. Returns each call's
 * output afterwards. `ses_child` is a subagent's session, and nobody knows `ses_lost`.
 */
async function play(steps: Step[], home?: string): Promise<unknown[]> {
  const script = `
    const { Mementor, ...others } = await import(${JSON.stringify(pluginFile())});
    if (Object.keys(others).length > 0) throw new Error("every export must be the plugin");
    const get = async ({ path }) => {
      if (path.id === "ses_lost") throw new Error("no such session");
      return { data: { id: path.id, ...(path.id === "ses_child" && { parentID: "ses_root" }) } };
    };
    const hooks = await Mementor({ client: { session: { get } }, directory: process.cwd() });
    const outputs = [];
    for (const [hook, input, output] of ${JSON.stringify(steps)}) {
      await hooks[hook](input, output);
      outputs.push(output ?? null);
    }
    console.log(JSON.stringify(outputs));`;
  const child = Bun.spawn([process.execPath, "-e", script], {
    cwd: sandbox.project,
    // In another home the program is one that goes wrong.
    env: sandbox.env(home === undefined ? {} : { HOME: home, ...IMPATIENT }),
    stdout: "pipe",
    stderr: "pipe",
  });
  const { stdout, stderr, exitCode } = await outcomeOf(child);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return JSON.parse(stdout);
}

/** What a prompt adds to the request: the texts of the message, and those of the one before it. */
async function asked(prompt: string, input: object = {}, home?: string): Promise<string[]> {
  const session = { sessionID: "ses_root", ...input };
  const said = message(session.sessionID, `msg_${Bun.hash(prompt + JSON.stringify(input))}`, prompt);
  const earlier = message(session.sessionID, "msg_0", "hello");
  const [, request] = await play(
    [
      ["chat.message", session, { message: said.info, parts: said.parts }],
      ["experimental.chat.messages.transform", {}, { messages: [earlier, said] }],
    ],
    home,
  );
  const { messages } = request as { messages: { parts: { text: string }[] }[] };
  expect(messages[0]?.parts).toHaveLength(1);
  return messages[1]?.parts.map(({ text }) => text) ?? [];
}

test("the plugin comes by its option alone, and again with every enable", async () => {
  const enable = async (...args: string[]) => {
    const { stdout } = await sandbox.run(["enable", "--no-history", "--json", ...args]);
    return JSON.parse(stdout).agents.map(({ id, change }: { id: string; change: string }) => [id, change]);
  };
  expect(await enable("--for", "opencode,gemini")).toEqual([["gemini", "created"]]);
  expect(await enable("--for", "all")).toEqual([["gemini", "unchanged"]]);
  expect(existsSync(pluginFile())).toBe(false);
  expect(await enable("--for", "opencode", "--opencode-plugin")).toEqual([["opencode", "created"]]);
  expect(await enable("--for", "opencode")).toEqual([["opencode", "unchanged"]]);
  writeFileSync(pluginFile(), `${readFileSync(pluginFile(), "utf8")}// older\n`);
  const states = async () => JSON.parse((await sandbox.run(["status", "--json"])).stdout).agents;
  const stateOf = async () => (await states()).find(({ id }: { id: string }) => id === "opencode");
  expect(await stateOf()).toMatchObject({ events: ["plugin"], stale: ["plugin"] });
  expect((await sandbox.run(["doctor"])).stdout).toContain('Run "mementor enable --for opencode"');
  expect(await enable()).toEqual([
    ["gemini", "unchanged"],
    ["opencode", "changed"],
  ]);
  expect(await stateOf()).toMatchObject({ stale: [], problem: null });
});

test("a prompt's recall is added to each request, after the prompt, and stored nowhere", async () => {
  const said = message("ses_a", "msg_1", `"${PROMPT}"`);
  const later = message("ses_a", "msg_2", "ok thanks");
  const request = { messages: [said, later] };
  const [stored, ...requests] = await play([
    ["chat.message", { sessionID: "ses_a" }, { message: said.info, parts: said.parts }],
    ["experimental.chat.messages.transform", {}, request],
    ["chat.message", { sessionID: "ses_a" }, { message: later.info, parts: later.parts }],
    ["experimental.chat.messages.transform", {}, request],
  ]);
  expect(stored).toEqual({ message: said.info, parts: said.parts });
  const place = { id: "prt_msg_1z", sessionID: "ses_a", messageID: "msg_1" };
  const text = expect.stringMatching(/token bucket/);
  const told = [
    { ...said, parts: [...said.parts, { ...place, type: "text", text, synthetic: true }] },
    later,
  ];
  expect([requests[0], requests[2]]).toEqual([{ messages: told }, { messages: told }]);
});

test("trivial prompts, added texts, subagents and unknown sessions get nothing", async () => {
  expect(await asked("ok thanks")).toHaveLength(1);
  expect(await asked(PROMPT, { sessionID: "ses_child", messageID: "m" })).toHaveLength(1);
  expect(await asked(PROMPT, { sessionID: "ses_lost", messageID: "m" })).toHaveLength(1);
  // The interface names the message, too.
  expect(await asked(PROMPT, { sessionID: "ses_tui", messageID: "m" })).toHaveLength(2);
  const added = message("ses_b", "msg_1", PROMPT, { synthetic: true });
  const [, request] = await play([
    ["chat.message", { sessionID: "ses_b" }, { message: added.info, parts: added.parts }],
    ["experimental.chat.messages.transform", {}, { messages: [added] }],
  ]);
  expect(request).toEqual({ messages: [added] });
});

test("whatever goes wrong, the prompt goes on", async () => {
  const home = join(sandbox.root, "other");
  const program = join(home, ".local/share/mementor/bin/mementor");
  mkdirSync(join(program, ".."), { recursive: true });
  expect(await asked(PROMPT, {}, home)).toHaveLength(1);
  for (const script of ["exec sleep 60", "echo nonsense", "exit 2", "echo '{}'", "echo '[]'; kill -9 $$"]) {
    writeFileSync(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
    expect(await asked(PROMPT, {}, home)).toHaveLength(1);
  }
  writeFileSync(program, "#!/bin/sh\nexec sleep 60\n");
  expect(
    await play([["event", { event: { type: "session.idle", properties: { sessionID: "s" } } }]], home),
  ).toEqual([null]);
  const broken: Step[] = [
    ["event", {}],
    ["event", { event: { type: "session.created", properties: {} } }],
    ["chat.message", {}, {}],
    ["experimental.chat.messages.transform", {}, {}],
  ];
  expect(await play(broken)).toEqual([null, null, {}, {}]);
});

test("a session and its subagents are read when they are idle", async () => {
  installDatabase(sandbox.home);
  change(databaseIn(sandbox.home), (database) =>
    database.run("UPDATE session SET directory = ? WHERE directory = '/home/dev/orchard'", [sandbox.project]),
  );
  const idle = (sessionID: string): Step => [
    "event",
    { event: { type: "session.idle", properties: { sessionID } } },
  ];
  const [root, child] = ["ses_e0a1a0000ffeBarnDoor002", "ses_e0a19ffffffeCrowNest003"];
  await play([
    ["event", { event: { type: "session.created", properties: { info: { id: child, parentID: root } } } }],
    idle(child),
    idle(root),
  ]);
  await workerDone(sandbox);
  const { sessions } = JSON.parse((await sandbox.run(["sessions", "--from", "opencode", "--json"])).stdout);
  expect(sessions.map(({ session_id: id }: { session_id: string }) => id)).toContain(root);
  const { turns } = JSON.parse((await sandbox.run(["show", "--turns", root, "--json"])).stdout);
  expect(turns.map(({ agent_id: id }: { agent_id: string | null }) => id)).toContain(child);
});

test("disable removes the plugin, and not one that is somebody else's", async () => {
  await sandbox.run(["disable"]);
  expect(readdirSync(join(sandbox.home, ".config/opencode"))).toEqual([]);
  mkdirSync(join(pluginFile(), ".."), { recursive: true });
  writeFileSync(pluginFile(), "export const Other = async () => ({});\n");
  const refused = await sandbox.run(["enable", "--no-history", "--for", "opencode", "--opencode-plugin"]);
  expect(refused.stderr).toContain("was not written by mementor");
  await sandbox.run(["disable"]);
  expect(readFileSync(pluginFile(), "utf8")).toBe("export const Other = async () => ({});\n");
});
