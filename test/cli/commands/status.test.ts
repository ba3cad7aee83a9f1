import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUILT_IN_MODEL } from "../../../src/constants.ts";
import { tryLock } from "../../../src/io/lock.ts";
import { noteHookCall } from "../../../src/project/note-hook-call.ts";
import { enqueue, noteReading, takeQueued } from "../../../src/project/queue.ts";
import { openStore } from "../../store/builders.ts";
import { runIn } from "../../support/host.ts";

const SAMPLE = join(import.meta.dir, "..", "..", "..", "fixtures", "transcripts", "sample");
let root: string;

beforeAll(async () => {
  root = mkdtempSync("/tmp/mementor-status-");
  mkdirSync(join(root, "home"));
  mkdirSync(join(root, "project", ".git"), { recursive: true });
  writeFileSync(join(root, "project", ".git", "HEAD"), "ref: refs/heads/main\n");
  await run(["enable", "--no-history"]);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const run = (argv: readonly string[], env: Record<string, string> = {}, cwd = join(root, "project")) =>
  runIn({
    argv,
    cwd,
    homeDir: join(root, "home"),
    now: new Date("2026-11-22T12:00:00Z"),
    env: { NO_COLOR: "1", TZ: "UTC", ...env },
  });

test("status describes a project that is not enabled", async () => {
  const other = join(root, "other");
  mkdirSync(other);
  const status = JSON.parse((await run(["status", "--json"], {}, other)).stdout);
  expect(status).toMatchObject({
    project: { root: other, worktree_root: other, kind: "directory", branch: null },
    ...{ trust: "off", database: null, queued: 0, is_paused: false, never_called: false },
  });
  const hooks: { scope: string; exists: boolean; events: string[] }[] = status.hooks;
  expect(hooks.map(({ scope, exists, events }) => [scope, exists, events])).toEqual([
    ["user", false, []],
    ["project", false, []],
    ["local", false, []],
  ]);
});

test("status counts the calls that wait, and survives a database that cannot be read", async () => {
  const cwd = join(root, "broken");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  writeFileSync(join(cwd, ".git", "HEAD"), "ref: refs/heads/main\n");
  const { memory_directory: directory } = JSON.parse(
    (await run(["enable", "--no-history", "--json"], {}, cwd)).stdout,
  );
  const call = (event: string, decision: string, second: number) => ({
    ...{ event, decision, durationMs: 4, sessionId: "s" },
    time: `2026-01-02T03:04:0${second}.000Z`,
  });
  const status = async () => JSON.parse((await run(["status", "--json"], {}, cwd)).stdout);
  expect(await status()).toMatchObject({ trust: "trusted", never_called: true });
  const [first, told, last] = [
    call("stop", "queued", 1),
    call("session-start", "told", 2),
    call("stop", "queued", 3),
  ];
  const store = await openStore(join(directory, "mementor.db"), { model: BUILT_IN_MODEL });
  await store.journal.recordHookCall(first);
  await store.close();
  const queue = { directory, dataDir: join(directory, "../..") };
  await noteHookCall(queue, told);
  await noteHookCall(queue, last);
  const { database, never_called: neverCalled } = await status();
  const times = database.content.hook_calls.map(({ time }: { time: string }) => time);
  expect([neverCalled, times]).toEqual([false, [last.time, told.time, first.time]]);
  expect(database.content.last_told.time).toBe(told.time);
  writeFileSync(join(directory, "mementor.db"), "12345");
  const broken = await status();
  expect(broken.database).toMatchObject({ bytes: 5, content: null, problem: expect.any(String) });
  expect(broken.never_called).toBe(true);
});

test("status says what needs a person, and nothing where nothing does", async () => {
  expect((await run(["status"])).stdout).not.toMatch(/^Next/m);
  const { stdout } = await run(["status"], { MEMENTOR_SEARCH_K: "zero" });
  expect(stdout).toMatch(/^Next +mementor config {4}\(1 mistake in the settings\)$/m);
});

test("status says how many conversations are read while a worker reads them", async () => {
  const holds = async () => /^Holds +(.*)$/m.exec((await run(["status"])).stdout)?.[1];
  expect(await holds()).toBe("nothing yet");
  const { memory_directory: directory } = JSON.parse(
    (await run(["enable", "--no-history", "--json"])).stdout,
  );
  enqueue(directory, "/a.jsonl");
  enqueue(directory, "/b.jsonl");
  expect(await holds()).toBe("0 turns of 0 sessions; 0 of 2 conversations read so far");
  using _lock = tryLock(join(directory, "worker.lock"));
  noteReading(directory, []);
  takeQueued(directory, () => null);
  expect(await holds()).toBe("0 turns of 0 sessions; 0 of 2 conversations read so far");
  enqueue(directory, "/c.jsonl");
  noteReading(directory, ["/a.jsonl", "/b.jsonl"]);
  expect(await holds()).toBe("0 turns of 0 sessions; 0 of 3 conversations read so far");
  takeQueued(directory, () => null);
  noteReading(directory, null);
  expect(await holds()).toBe("0 turns of 0 sessions; being read now");
});

test("mementor alone shows notes where the work stood only while there is nothing else", async () => {
  const stood = async () => /^Where the work stood\n((?: .*\n)+)/m.exec((await run([])).stdout)?.[1];
  await run(["note", "Dates are UTC"]);
  expect(await stood()).toContain("Dates are UTC");
  await run(["ingest", SAMPLE, "--text-only"]);
  await run(["note", "Times are local"]);
  const lines = await stood();
  expect(lines?.trim().split("\n")).toHaveLength(3);
  expect(lines).not.toMatch(/Dates are UTC|Times are local/);
});

test("config says what each setting does and may be, also as JSON", async () => {
  expect((await run(["config"])).stdout).toContain(
    `search.gate            "normal"                  default
    how surely a turn must be worth telling; strict tells less: off, loose, normal or strict
`,
  );
  const { settings } = JSON.parse((await run(["config", "--json"])).stdout);
  expect(settings.find(({ key }: { key: string }) => key === "search.gate")).toEqual({
    ...{ key: "search.gate", value: "normal", origin: "default", variable: "MEMENTOR_SEARCH_GATE" },
    meaning: "how surely a turn must be worth telling; strict tells less",
    ...{ allowed: "off, loose, normal or strict", default: "normal" },
  });
});

test.each([
  [["recent", "-n", "-3"], "-n"],
  [["recent", "-n=-3"], "-n"],
  [["recent", "--limit", "-3"], "--limit"],
])("%p is refused with its reason", async (argv, flag) => {
  const { exitCode, stderr } = await run(argv);
  expect(exitCode).toBe(64);
  expect(stderr).toContain(`${flag} must be a whole number from 1 to 1,000,000, not "-3".`);
});

test.each([[["-C", "project"]], [["--no-pager"]], [["-C", "project", "--no-pager"]]])(
  "mementor %j shows the project, as mementor alone does",
  async (argv) => {
    const alone = await run([]);
    expect(alone.stdout).toContain("Where the work stood");
    const named = await run(argv, {}, argv.includes("-C") ? root : undefined);
    expect({ ...named, stdout: named.stdout.replaceAll("mementor -C project ", "mementor ") }).toEqual(alone);
  },
);

test("mementor -C without a directory there is refused", async () => {
  expect(await run(["-C", "nowhere"])).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringContaining("There is no directory"),
  });
});
