import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { HOOK_EVENTS } from "../../src/setup/settings/hook-events.ts";
import { enabled } from "../support/enabled.ts";
import { fcOptions } from "../support/fast-check.ts";
import { outcomeOf } from "../support/outcome.ts";
import { BINARY, IMPATIENT, Sandbox } from "../support/sandbox.ts";
import { workerDone } from "./client.ts";
import { ingestSample } from "./sample.ts";

const EVENTS = HOOK_EVENTS.map(({ word }) => word);

const FIXTURES = join(import.meta.dir, "..", "..", "fixtures");
/** A conversation on a matter of the file: the hook before an edit says nothing without one. */
const RUNNING = join(FIXTURES, "hooks", "running.jsonl");
const FILE = "src/db/schema.ts";
const QUIET = { exitCode: 0, stdout: "", stderr: "" };

let sandbox: Sandbox;
let memory: string;
let database: string;
let saved: string;

beforeAll(async () => {
  sandbox = await Sandbox.create();
  // A repository as git sees one, so that what is below it belongs to it, there or not.
  for (const part of ["objects", "refs"]) mkdirSync(join(sandbox.project, ".git", part));
  saved = join(sandbox.root, "saved");
  await enabled(sandbox);
  await ingestSample(sandbox);
  memory = sandbox.memory();
  database = join(memory, "mementor.db");
  cpSync(memory, saved, { recursive: true });
  cpSync(join(sandbox.home, ".config"), join(sandbox.root, "config"), { recursive: true });
});
beforeEach(async () => {
  await workerDone(sandbox);
  rmSync(memory, { recursive: true, force: true });
  cpSync(saved, memory, { recursive: true });
  // A hook that finds no memory makes one, and registers it in place of this one.
  cpSync(join(sandbox.root, "config"), join(sandbox.home, ".config"), { recursive: true });
});
afterAll(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

/** What each event gets at least to do its work; sessions are new, so that nothing was told yet. */
function inputOf(event: string): Record<string, unknown> {
  const common = {
    session_id: crypto.randomUUID(),
    cwd: sandbox.project,
    transcript_path: join(sandbox.root, "t.jsonl"),
  };
  const more: Record<string, object> = {
    "user-prompt-submit": { prompt: "why does the link checker wait per host with a token bucket?" },
    "pre-tool-use": {
      transcript_path: RUNNING,
      tool_name: "Read",
      tool_input: { file_path: join(sandbox.project, FILE) },
    },
    "session-start": { source: "compact" },
  };
  return { ...common, ...more[event] };
}

/** Runs every hook with its usual input and checks that each ends well and speaks the contract or not at all. */
async function everyHook(options: { env?: Record<string, string>; cwd?: string } = {}): Promise<void> {
  for (const event of EVENTS) {
    const result = await sandbox.hook(event, inputOf(event), options);
    expectContract(result, event);
  }
}

function expectContract(
  { exitCode, stdout, stderr }: { exitCode: number | null; stdout: string; stderr: string },
  what: string,
) {
  const parsed = stdout === "" ? null : JSON.parse(stdout);
  // The start of a session may tell the user alone why mementor is silent.
  const isToUser = what === "session-start" && typeof parsed?.systemMessage === "string";
  const keys = parsed && !isToUser ? Object.keys(parsed.hookSpecificOutput) : null;
  expect({ what, exitCode, stderr, keys: keys ?? ["hookEventName", "additionalContext"] }).toEqual({
    what,
    exitCode: 0,
    stderr: "",
    keys: ["hookEventName", "additionalContext"],
  });
}

function isObject(stdin: string | Uint8Array): boolean {
  return typeof stdin === "string" && stdin.startsWith("{") && stdin.endsWith("}");
}

/** Runs a shell line with the binary as `$0` and the JSON input on stdin. */
async function shell(line: string, event: string) {
  const child = Bun.spawn(["/bin/sh", "-c", line, BINARY], {
    cwd: sandbox.project,
    env: sandbox.env(),
    stdin: Buffer.from(JSON.stringify(inputOf(event))),
    stdout: "pipe",
    stderr: "pipe",
  });
  return outcomeOf(child);
}

/** Before and after everything else: a memory that does not answer would make tests say nothing. */
const answers = async () => {
  const { stdout } = await sandbox.hook("pre-tool-use", inputOf("pre-tool-use"));
  expect(stdout).toContain(FILE);
};
test("the memory answers", answers);

test("a pipe in the place of a transcript blocks no hook", async () => {
  const pipe = join(sandbox.root, "pipe.jsonl");
  Bun.spawnSync(["mkfifo", pipe]);
  for (const event of EVENTS) {
    const input = { ...inputOf(event), transcript_path: pipe, agent_transcript_path: pipe };
    const result = await sandbox.run(["hook", event], { stdin: JSON.stringify(input), timeoutMs: 15_000 });
    expectContract(result, event);
  }
}, 60_000);

describe("input", () => {
  test.each([
    ["nothing", ""],
    ["no JSON", "hello {"],
    ["half of an object", '{"session_id": "s", "prompt": "how do'],
    ["null", "null"],
    ["a list", "[1, 2]"],
    ["a string", '"prompt"'],
    ["an empty object", "{}"],
    ["nulls", JSON.stringify({ session_id: null, cwd: null, prompt: null, tool_input: null, source: null })],
    [
      "wrong types",
      JSON.stringify({ session_id: 1, cwd: [], prompt: {}, tool_input: "x", stop_hook_active: "no" }),
    ],
    ["no UTF-8", new Uint8Array([0x7b, 0xff, 0xfe, 0x00, 0x7d])],
    ["very deep", "[".repeat(200_000)],
  ])("%s", async (_what, stdin) => {
    // What is no JSON object is refused in one place for all hooks.
    for (const event of isObject(stdin) ? EVENTS : ["user-prompt-submit", "stop"]) {
      const { exitCode, stdout, stderr } = await sandbox.run(["hook", event], { stdin });
      expect({ event, exitCode, stdout, stderr }).toEqual({ event, ...QUIET });
    }
  });

  test("that never ends is given up after a second", async () => {
    const child = Bun.spawn([BINARY, "hook", "stop"], {
      cwd: sandbox.project,
      env: sandbox.env(IMPATIENT),
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    child.stdin.write("{");
    child.stdin.flush();
    expect(await outcomeOf(child)).toEqual(QUIET);
  });

  test.each(["user-prompt-submit", "pre-tool-use"])("of 50 MB to %s breaks no hook", async (event) => {
    const long = "why does the link checker wait ".repeat(1_700_000);
    const input = {
      ...inputOf(event),
      prompt: long,
      tool_input: { file_path: FILE, content: event === "pre-tool-use" ? long : "" },
    };
    expectContract(await sandbox.hook(event, input), event);
    expect(await sandbox.run(["hook", event], { stdin: long })).toMatchObject(QUIET);
  });

  test("from a closed stdin, to a closed stdout, to a reader that went away", async () => {
    const closed = await shell('"$0" hook pre-tool-use <&-', "pre-tool-use");
    const unheard = await shell('"$0" hook pre-tool-use >&-', "pre-tool-use");
    const gone = await shell('{ "$0" hook pre-tool-use; echo $? >&2; } | true', "pre-tool-use");
    expect({ closed, unheard, gone }).toEqual({
      closed: QUIET,
      unheard: QUIET,
      gone: { ...QUIET, stderr: "0\n" },
    });
  });

  test("for an event that does not exist", async () => {
    for (const args of [
      ["hook"],
      ["hook", "post-tool-use"],
      ["hook", "--help"],
      ["hook", "stop", "--nope", "x"],
    ])
      expect({ args, ...(await sandbox.run(args, { stdin: "{}" })) }).toMatchObject({ args, ...QUIET });
  });
});

describe("a place", () => {
  test("that is not enabled stays untouched", async () => {
    const elsewhere = join(sandbox.root, "elsewhere");
    mkdirSync(elsewhere);
    for (const event of EVENTS) {
      const input = { ...inputOf(event), cwd: elsewhere };
      expect(await sandbox.hook(event, input, { cwd: elsewhere })).toMatchObject(QUIET);
    }
    expect(await Array.fromAsync(new Bun.Glob("**").scan({ cwd: elsewhere, dot: true }))).toEqual([]);
  });

  test("that came with somebody else's memory is not read", async () => {
    const hostile = join(sandbox.root, "hostile");
    mkdirSync(join(hostile, ".git"), { recursive: true });
    cpSync(saved, join(hostile, ".mementor"), { recursive: true });
    writeFileSync(join(hostile, ".mementor/id"), `${"0".repeat(32)}\n`);
    for (const event of EVENTS) {
      const input = { ...inputOf(event), cwd: hostile, tool_input: { file_path: FILE } };
      expect(await sandbox.hook(event, input, { cwd: hostile })).toMatchObject(QUIET);
    }
  });

  test("that vanished gets silence", async () => {
    for (const event of EVENTS) {
      const input = { ...inputOf(event), cwd: join(sandbox.root, "gone") };
      expect(await sandbox.hook(event, input)).toMatchObject(QUIET);
    }
  });

  test("in the project that vanished belongs to the project still", async () => {
    const input = { ...inputOf("pre-tool-use"), cwd: join(sandbox.project, "gone/deeper") };
    const { stdout } = await sandbox.hook("pre-tool-use", input);
    expect(stdout).toContain(FILE);
  });

  test("whose memory was deleted breaks no hook", async () => {
    rmSync(memory, { recursive: true });
    await everyHook();
  });

  test("without a home breaks no hook", async () => {
    for (const home of ["", "/nonexistent", "relative", "/dev/null"])
      await everyHook({ env: { HOME: home } });
  });
});

describe("a database", () => {
  const damages: [string, () => undefined | Disposable][] = [
    ["that is missing", () => void rmSync(database)],
    ["that is empty", () => void truncateSync(database, 0)],
    ["that is no database", () => void writeFileSync(database, "not a database, not at all".repeat(1_000))],
    ["that is cut off", () => void truncateSync(database, 40_000)],
    [
      "that is a directory",
      () => {
        rmSync(database);
        mkdirSync(database);
      },
    ],
    [
      "that is a link to nowhere",
      () => {
        rmSync(database);
        symlinkSync("/nowhere/x.db", database);
      },
    ],
    [
      "of a newer version",
      () => {
        using db = new Database(database);
        db.run("PRAGMA user_version = 2000000000");
      },
    ],
    [
      "that another process has locked",
      () => {
        const db = new Database(database);
        db.run("PRAGMA locking_mode = EXCLUSIVE");
        db.run("BEGIN EXCLUSIVE");
        return db;
      },
    ],
  ];
  test.each(damages)("%s", async (_what, damage) => {
    rmSync(`${database}-wal`, { force: true });
    rmSync(`${database}-shm`, { force: true });
    using _damaged = damage();
    await everyHook({ env: IMPATIENT });
  });
});

describe("a machine", () => {
  test("whose disk is full breaks no hook", async () => {
    // Without the signal a write beyond the limit fails, as it does on a full disk.
    for (const event of EVENTS)
      expectContract(await shell(`trap '' XFSZ; ulimit -f 0; exec "$0" hook ${event}`, event), event);
  });

  test("where nothing of the memory can be written breaks no hook", async () => {
    for (const name of ["queue", "log"]) {
      rmSync(join(memory, name), { recursive: true, force: true });
      writeFileSync(join(memory, name), "a file where a directory should be");
    }
    await everyHook();
    for (const name of ["queue", "log"]) rmSync(join(memory, name));
  });

  test("that has no place for the model goes on without it, and says so in the log", async () => {
    const env = { XDG_CACHE_HOME: "/dev/null/cache", TMPDIR: "/dev/null/tmp" };
    await everyHook({ env });
    const log = await Bun.file(join(memory, "log/mementor.jsonl")).text();
    expect(log).toContain('"event":"embedder"');
    expect(log).not.toContain('"event":"hook failed"');
  });

  test("whose configuration makes no sense breaks no hook", async () => {
    writeFileSync(join(memory, "config.json"), '{"recall": 7, "budgets": {"prompt": -1}, "log": ');
    await everyHook({ env: { MEMENTOR_LOG_LEVEL: "shout", MEMENTOR_SEARCH_PROMPT_K: "many" } });
  });
});

test("any input at all, in any order", async () => {
  const value = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(FILE, sandbox.project, "compact", "startup", "why does the link checker wait per host?"),
  );
  const key = fc.constantFrom(
    "session_id",
    "cwd",
    "prompt",
    "tool_input",
    "source",
    "transcript_path",
    "agent_id",
  );
  const input = fc.oneof(
    { weight: 4, arbitrary: fc.dictionary(key, value).map((fields) => JSON.stringify(fields)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...EVENTS), input, async (event, stdin) => {
      expectContract(await sandbox.run(["hook", event], { stdin }), event);
    }),
    // `test/hooks/run.test.ts` tries thousands without the binary.
    fcOptions(1 / 20),
  );
}, 3_600_000);

test("the memory still answers", answers);
