import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeRepository, type Talk, writeSession } from "../support/projects.ts";
import { Sandbox } from "../support/sandbox.ts";
import { onTerminal } from "../support/terminal.ts";
import { workerDone } from "./client.ts";

const TALK: Talk = [["Which queue do we use for mails?", "Postgres with SKIP LOCKED, no broker."]];

let sandbox: Sandbox;
let usual = "";
let other = "";
let env: Record<string, string> = {};
beforeEach(async () => {
  sandbox = await Sandbox.create({ model: "quick" });
  usual = join(sandbox.home, ".local/share/mementor");
  other = join(sandbox.root, "other/mementor");
  env = { XDG_DATA_HOME: dirname(other) };
  writeSession(sandbox, sandbox.project, TALK);
  await sandbox.run(["enable", "--yes"]);
  await sandbox.run(["ingest", "--text-only"]);
  await workerDone(sandbox);
});
afterEach(() => sandbox[Symbol.asyncDispose]());

const registryFile = (home = sandbox.home) => join(home, ".config/mementor/projects.json");

/** What an older version wrote. */
function forgetPlace(): void {
  const { dataDir, ...registry } = JSON.parse(readFileSync(registryFile(), "utf8"));
  expect(dataDir).toBeString();
  writeFileSync(registryFile(), JSON.stringify(registry));
}

/** Moves the memories as onto another disk: what is there is younger than the project. */
async function copyData(): Promise<void> {
  await workerDone(sandbox);
  makeOlder();
  cpSync(usual, other, { recursive: true });
  rmSync(usual, { recursive: true });
}

/** Lets the project have been registered an hour before. */
function makeOlder(): void {
  const { projects, ...registry } = JSON.parse(readFileSync(registryFile(), "utf8"));
  const older = projects.map((record: { since: string }) => ({
    ...record,
    since: new Date(Date.parse(record.since) - 3_600_000).toISOString(),
  }));
  writeFileSync(registryFile(), JSON.stringify({ ...registry, projects: older }, null, 2));
}

async function startSession(variables: Record<string, string>, client?: string): Promise<string> {
  const given = { session_id: "s", cwd: sandbox.project, source: "startup", turn_id: client && "t" };
  return (await sandbox.hook("session-start", given, { env: variables })).stdout;
}

async function status(variables: Record<string, string>) {
  const { stdout } = await sandbox.run(["status", "--json"], { env: variables });
  const { trust, refusal, database } = JSON.parse(stdout);
  return { trust, refusal, file: database?.file ?? null, turns: database?.content?.turns ?? null };
}

const within = (directory: string) => ({
  trust: "trusted",
  refusal: null,
  file: expect.stringContaining(`${directory}/projects/`),
  turns: 1,
});

async function callHooks(variables: Record<string, string>): Promise<string> {
  const given = { session_id: "s", cwd: sandbox.project, transcript_path: join(sandbox.root, "none.jsonl") };
  await sandbox.hook("stop", given, { env: variables });
  const prompt = "Which queue do we use for mails?";
  const { stdout } = await sandbox.hook("user-prompt-submit", { ...given, prompt }, { env: variables });
  return stdout;
}

test.each([false, true])(
  "a variable neither moves a memory nor makes a second one (older registry: %p)",
  async (isOld) => {
    if (isOld) forgetPlace();
    await callHooks(env);
    expect(await status(env)).toEqual(within(usual));
    expect(existsSync(other)).toBe(false);
  },
);

test.each([false, true])(
  "a memory that a variable names is not told as the user's (older registry: %p)",
  async (isOld) => {
    if (isOld) forgetPlace();
    cpSync(usual, other, { recursive: true });
    await sandbox.run(["forget", "--match", "queue", "--yes"]);
    expect((await sandbox.run(["recent"], { env })).stdout).not.toContain("queue");
    const shown = (await sandbox.run(["status"], { env })).stdout;
    expect(shown).toContain(isOld ? other : `Ignored   ${other}, which variables name`);
    expect(await callHooks(env)).not.toContain("SKIP LOCKED");
    const { stdout } = await sandbox.run(["doctor"], { env });
    expect(stdout.replace(/\s+/g, " ")).toContain(
      isOld ? "It is not confirmed yet" : `Variables set ${other}`,
    );
  },
);

test.each([false, true])(
  "memories that the user copied count after enable, which the start of a session says (older registry: %p)",
  async (isOld) => {
    if (isOld) forgetPlace();
    await copyData();
    expect(await callHooks(env)).toBe("");
    const before = await status(env);
    expect([before.trust, before.refusal?.hint]).toEqual(["off", expect.stringContaining("mementor enable")]);
    expect((await sandbox.run(["recent"], { env })).stderr).toContain("It is not confirmed yet");
    const { systemMessage, ...others } = JSON.parse(await startSession(env));
    expect(others).toEqual({});
    expect(systemMessage).toMatch(/^mementor is silent\. .*It is not confirmed yet.*"mementor enable"/);
    await sandbox.run(["enable", "--yes", "--no-history"], { env });
    expect(await status(env)).toEqual(within(other));
    expect(await status({})).toEqual(within(other));
    expect(await startSession(env)).toBe("");
    expect(existsSync(join(usual, "projects"))).toBe(false);
  },
);

/** Makes a second project, whose memory lies where the variables name it, as an older version made it. */
async function splitPlaces(): Promise<string> {
  const second = await makeRepository(sandbox, "second");
  await sandbox.run(["enable", "--yes"], { cwd: second });
  await workerDone(sandbox);
  await workerDone(sandbox, second);
  const memory = sandbox.memoryOf(second);
  mkdirSync(join(other, "projects"), { recursive: true });
  renameSync(memory, join(other, "projects", basename(memory)));
  return second;
}

test("no empty memory is made where a filled one is known in another place: enable asks, or says what to do", async () => {
  const second = await splitPlaces();
  forgetPlace();
  makeOlder();
  await sandbox.run(["enable", "--yes", "--no-history"], { env, cwd: second });
  expect(await status(env)).toMatchObject({ trust: "foreign" });
  for (const name of ["stop", "session-start"] as const)
    await sandbox.hook(name, { session_id: "s", cwd: sandbox.project, source: "startup" }, { env });
  const commands = [["enable", "--yes"], ["ingest"], ["note", "a kettle"]];
  for (const command of commands) {
    const { exitCode, stderr } = await sandbox.run(command, { env });
    expect([command, exitCode]).toEqual([command, 1]);
    expect(stderr).toContain(`lies in ${sandbox.memory()}, and not in ${other}`);
    expect(stderr).toContain("mementor enable --adopt");
  }
  expect(existsSync(sandbox.memory().replace(usual, other))).toBe(false);
  const { exitCode } = await sandbox.run(["enable", "--adopt", "--yes", "--no-history"], { env });
  expect(exitCode).toBe(0);
  expect(await status(env)).toEqual(within(other));
  expect(existsSync(sandbox.memory())).toBe(false);
});

test("a memory is not taken along to where its forgotten turns could come back", async () => {
  const second = await splitPlaces();
  forgetPlace();
  makeOlder();
  await sandbox.run(["forget", "--match", "queue", "--yes"]);
  writeFileSync(join(other, "forget.key"), crypto.getRandomValues(new Uint8Array(32)), { mode: 0o600 });
  await sandbox.run(["enable", "--yes", "--no-history"], { env, cwd: second });
  const taken = await sandbox.run(["enable", "--adopt", "--yes", "--no-history"], { env });
  expect([taken.exitCode, taken.stderr]).toEqual([1, expect.stringContaining("could come back")]);
  expect(existsSync(sandbox.memory())).toBe(true);
});

test("enable asks a person whether the memory is taken along", async () => {
  const second = await splitPlaces();
  const answered = (keys: string) =>
    onTerminal(sandbox, ["-C", second, "enable", "--no-history"], {
      columns: 200,
      env: { NO_COLOR: "1", ...env },
      typed: [["Take it along? [Y/n/q]", keys]],
    });
  const wrong = ["-C", second, "enable", "--for", "typo"];
  const mistyped = await onTerminal(sandbox, wrong, {
    columns: 200,
    env: { NO_COLOR: "1", ...env },
    typed: [["[Y/n/q]", "\n"]],
  });
  expect(mistyped.screen).toStartWith('mementor: mementor cannot be installed for "typo".');
  const refused = await answered("n\n");
  expect(refused.screen).toContain(`and not in ${usual}.`);
  expect(refused.screen).toEndWith("Nothing was changed.\n");
  expect(existsSync(sandbox.memoryOf(second))).toBe(false);
  expect((await answered("\n")).exitCode).toBe(0);
  expect(existsSync(sandbox.memoryOf(second))).toBe(true);
  expect(readdirSync(join(other, "projects"))).toEqual([]);
});

test("a hook makes no empty memory either where a confirmed place has none", async () => {
  const second = await splitPlaces();
  const given = { session_id: "s", cwd: second, transcript_path: join(sandbox.root, "none.jsonl") };
  await sandbox.hook("stop", given, { env, cwd: second });
  await workerDone(sandbox);
  expect(existsSync(sandbox.memoryOf(second))).toBe(false);
});

test("a start of a session says nothing of that to another agent, nor where the project is disabled", async () => {
  forgetPlace();
  await copyData();
  expect(await startSession(env, "codex")).toBe("");
  const registry = readFileSync(registryFile(), "utf8");
  writeFileSync(registryFile(), registry.replace('"enabled": true', '"enabled": false'));
  expect(await startSession(env)).toBe("");
});

test("a start of a session says that a variable for another registry does not count", async () => {
  const cwd = await makeRepository(sandbox, "apart");
  const given = { session_id: "s", cwd, source: "startup" };
  const started = async (variables: Record<string, string>) =>
    (await sandbox.hook("session-start", given, { cwd, env: variables })).stdout;
  expect(await started({})).toBe("");
  expect(await started({ EDITOR: "./edit" })).toBe("");
  const { systemMessage } = JSON.parse(await started({ XDG_CONFIG_HOME: "/proc/self/cwd/.x" }));
  expect(systemMessage).toContain(`not enabled in ${cwd}`);
  expect(systemMessage).toContain("XDG_CONFIG_HOME was ignored");
});

// Root reads everything.
test.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
  "a registry that this user cannot read, as in a container with other numbers of users, is told",
  async () => {
    chmodSync(dirname(registryFile()), 0);
    const told = "cannot be read by this user";
    expect((await status({})).refusal?.message).toContain(told);
    expect(JSON.parse(await startSession({})).systemMessage).toContain(told);
    expect((await sandbox.run(["doctor"])).stdout).toContain(told);
    chmodSync(dirname(registryFile()), 0o700);
  },
);

test.skipIf(process.platform !== "linux")(
  "who has always set the variable goes on after an upgrade: the memory was made there when the project was enabled",
  async () => {
    for (const directory of [usual, dirname(registryFile())]) rmSync(directory, { recursive: true });
    await sandbox.run(["enable", "--yes"], { env });
    await workerDone(sandbox);
    forgetPlace();
    expect((await status(env)).trust).toBe("trusted");
    expect(await callHooks(env)).toContain("SKIP LOCKED");
    await workerDone(sandbox);
    await sandbox.run(["work"], { env });
    expect(JSON.parse(readFileSync(registryFile(), "utf8")).dataDir).toBeString();
    expect(await status({})).toEqual(within(other));
  },
);

test("a home that is mounted elsewhere has its memories", async () => {
  const mounted = join(sandbox.root, "mounted");
  renameSync(sandbox.home, mounted);
  const { ino, birthtimeMs } = statSync(dirname(registryFile(mounted)));
  const registry = JSON.parse(readFileSync(registryFile(mounted), "utf8"));
  writeFileSync(registryFile(mounted), JSON.stringify({ ...registry, madeIn: `${ino}-${birthtimeMs}` }));
  expect(await status({ HOME: mounted })).toEqual(within(join(mounted, ".local/share/mementor")));
});

test("memories that the user deleted are made anew", async () => {
  rmSync(usual, { recursive: true });
  await callHooks({});
  await workerDone(sandbox);
  expect((await status({})).trust).toBe("trusted");
});
