import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type Talk, writeSession } from "../support/projects.ts";
import { Sandbox } from "../support/sandbox.ts";
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

async function moveData(): Promise<void> {
  await workerDone(sandbox);
  mkdirSync(dirname(other), { recursive: true });
  renameSync(usual, other);
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
    expect(await callHooks(env)).not.toContain("SKIP LOCKED");
    const { stdout } = await sandbox.run(["doctor"], { env });
    expect(stdout.replace(/\s+/g, " ")).toContain(
      isOld ? "nobody has confirmed it yet" : `Variables name ${other}`,
    );
  },
);

test.each([false, true])(
  "memories that the user moved count after enable (older registry: %p)",
  async (isOld) => {
    if (isOld) forgetPlace();
    await moveData();
    expect(await callHooks(env)).toBe("");
    const before = await status(env);
    expect([before.trust, before.refusal?.hint]).toEqual(["off", expect.stringContaining("mementor enable")]);
    expect((await sandbox.run(["recent"], { env })).stderr).toContain("nobody has confirmed it yet");
    await sandbox.run(["enable", "--yes", "--no-history"], { env });
    expect(await status(env)).toEqual(within(other));
    expect(await status({})).toEqual(within(other));
    expect(existsSync(join(usual, "projects"))).toBe(false);
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
