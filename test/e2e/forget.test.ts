import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { appendFile, copyFile, cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import Ajv2020 from "ajv/dist/2020";
import { tryLock } from "../../src/io/lock.ts";
import { enabled } from "../support/enabled.ts";
import { Sandbox } from "../support/sandbox.ts";
import { ingestSample } from "./sample.ts";

const FIXTURES = join(import.meta.dir, "..", "..", "fixtures");
const SAMPLE = join(FIXTURES, "transcripts", "sample");
const WORDS = ["zanzibarquux", "mangrovelark"];
const SESSION = "5ec2e700-0000-4000-8000-000000000001";
const DEBUG = { env: { MEMENTOR_LOG_LEVEL: "debug" } };

let sandbox: Sandbox;
let memory: string;
let transcript: string;

const entry = (n: number, type: "user" | "assistant", content: unknown, sessionId = SESSION) => ({
  type,
  uuid: `5ec2e700-0000-4000-8000-0000000001${String(n).padStart(2, "0")}`,
  sessionId,
  cwd: sandbox.project,
  timestamp: `2026-02-0${n < 4 ? 1 : 2}T10:0${n}:00.000Z`,
  message: { role: type, content },
});

const read = (name: string) => [
  { type: "tool_use", id: "t", name: "Read", input: { file_path: join(sandbox.project, name) } },
];

const entries = (sessionId = SESSION) => [
  entry(0, "user", "How do we paint the garden fence?", sessionId),
  entry(1, "assistant", [{ type: "text", text: "With two coats of green paint." }], sessionId),
  entry(2, "user", `Where does the zanzibarquux live?`, sessionId),
  entry(
    3,
    "assistant",
    [{ type: "text", text: "In the Zanzibarquux house." }, ...read("src/mangrovelark.ts")],
    sessionId,
  ),
  entry(4, "user", "Thanks, now boil the kettle", sessionId),
  entry(5, "assistant", [{ type: "text", text: "It is on." }], sessionId),
  { type: "ai-title", sessionId, aiTitle: "Fences and the zanzibarquux" },
];

const write = (path: string, lines: readonly object[]) =>
  Bun.write(path, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);

/** The files of the memory that hold one of the words in their bytes. */
function remains(): string[] {
  return readdirSync(memory, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((file) => {
      const bytes = readFileSync(file).toString("latin1").toLowerCase();
      return WORDS.some((word) => bytes.includes(word));
    });
}

async function json(name: string, ...args: string[]) {
  const { stdout, stderr, exitCode } = await sandbox.run([name, ...args, "--json"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const value = JSON.parse(stdout);
  const schema = JSON.parse(readFileSync(join(FIXTURES, "schemas", `${name}.schema.json`), "utf8"));
  const ajv = new Ajv2020({ allErrors: true, formats: { "date-time": true } });
  expect(ajv.validate(schema, value) ? [] : ajv.errors).toEqual([]);
  return value;
}

/** A command that waits ten seconds for a reader, beside the other tests. */
let waiting: Awaited<ReturnType<typeof forgetBesideReader>>;

async function forgetBesideReader() {
  const sandbox = await Sandbox.create({ model: "quick" });
  await enabled(sandbox);
  const words = [{ ...entry(0, "user", "Where does the ocelotbarn stand?"), cwd: sandbox.project }];
  await write(join(sandbox.root, "t.jsonl"), words);
  await sandbox.run(["ingest", join(sandbox.root, "t.jsonl"), "--text-only"]);
  const database = sandbox.memory("mementor.db");
  const reader = new Database(database, { readonly: true });
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM turns").get();
  return { sandbox, database, reader, ended: sandbox.run(["forget", "--match", "ocelotbarn", "--yes"]) };
}

beforeAll(async () => {
  sandbox = await Sandbox.create({ model: "quick" });
  waiting = await forgetBesideReader();
  transcript = join(sandbox.root, `${SESSION}.jsonl`);
  await write(transcript, entries());
  await enabled(sandbox);
  memory = sandbox.memory();
  await ingestSample(sandbox);
  await sandbox.run(["ingest", transcript, "--text-only"], DEBUG);
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  await waiting.sandbox[Symbol.asyncDispose]();
});

describe("forget, on the compiled binary", () => {
  test("shows what would go and touches nothing, as a dry run or with nobody to ask", async () => {
    const before = remains();
    expect(before).toContain(join(memory, "mementor.db"));
    expect(await json("forget", "--match", "ZANZIBARQUUX", "--dry-run")).toMatchObject({
      outcome: "shown",
      turns: 1,
      titles: [{ session_id: SESSION, title: "Fences and the zanzibarquux" }],
      paths: ["src/mangrovelark.ts"],
      newest: [{ first_words: "Where does the zanzibarquux live?" }],
    });
    const refused = await sandbox.run(["forget", "--match", "zanzibarquux"]);
    expect({ exitCode: refused.exitCode, stdout: refused.stdout.includes("1 turn") }).toEqual({
      exitCode: 64,
      stdout: true,
    });
    expect(refused.stderr).toContain("--yes");
    expect(remains()).toEqual(before);
  });

  test("leaves no byte in any file, the log and old copies included", async () => {
    const exported = join(sandbox.root, "before.jsonl");
    await sandbox.run(["export", "-o", exported]);
    const backup = join(memory, "mementor.db.rust-v4.bak");
    await copyFile(join(memory, "mementor.db"), backup);
    await Bun.$`mkdir -p ${join(memory, "log")}`.quiet();
    await appendFile(
      join(memory, "log", "mementor.jsonl"),
      '{"level":"debug","prompt":"where is zanzibarquux"}\n',
    );
    const warned = await sandbox.run(["forget", "--match", "zanzibarquux", "--yes"]);
    expect(warned.stdout).toContain(
      `may still contain it; "mementor forget --backups" deletes them:\n  ${backup}`,
    );
    expect(remains()).toEqual([backup]);
    expect(await json("forget", "--backups", "--yes")).toMatchObject({
      outcome: "removed",
      turns: 0,
      backups: [{ path: backup, deleted: true }],
    });
    expect([existsSync(backup), remains()]).toEqual([false, []]);
  });

  test.each<[string, () => Promise<string>]>([
    ["is read again", async () => transcript],
    [
      "grows",
      async () => {
        await appendFile(transcript, `${JSON.stringify(entry(6, "user", "And the gate?"))}\n`);
        return transcript;
      },
    ],
    [
      "is rewritten",
      async () => {
        await write(transcript, [
          { type: "summary", summary: "The zanzibarquux", leafUuid: "x" },
          ...entries(),
        ]);
        return transcript;
      },
    ],
    [
      "is copied by a resumed session",
      async () => {
        const copy = join(sandbox.root, "5ec2e700-0000-4000-8000-000000000002.jsonl");
        await write(copy, entries("5ec2e700-0000-4000-8000-000000000002"));
        return copy;
      },
    ],
    [
      "was read at another place",
      async () => {
        await cp(transcript, join(sandbox.root, "elsewhere", `${SESSION}.jsonl`));
        return join(sandbox.root, "elsewhere", `${SESSION}.jsonl`);
      },
    ],
  ])("does not bring it back when its transcript %s", async (_how, prepare) => {
    const { exitCode } = await sandbox.run(["ingest", await prepare(), "--text-only"]);
    expect([exitCode, remains()]).toEqual([0, []]);
    const { results } = JSON.parse(
      (await sandbox.run(["search", "garden fence", "--mode", "keyword", "--json"])).stdout,
    );
    expect(results[0].text).toBe(
      "[User] How do we paint the garden fence?\n\n[Assistant] With two coats of green paint.",
    );
  });

  test("does not bring it back with an import of an older export", async () => {
    const { stdout } = await sandbox.run([
      "import",
      join(sandbox.root, "before.jsonl"),
      "--text-only",
      "--json",
    ]);
    expect(JSON.parse(stdout).turns).toMatchObject({ inserted: 0, forgotten: 1 });
    expect(remains()).toEqual([]);
  });

  test("works beside ingests and hooks that are under way", async () => {
    await write(transcript, [...entries(), entry(7, "user", "Where is the Mangrovelark?")]);
    const prompt = { session_id: "other", cwd: sandbox.project, prompt: "how do we paint the garden fence" };
    const runs = await Promise.all([
      sandbox.run(["ingest", transcript, "--text-only"]),
      sandbox.run(["forget", "--match", "mangrovelark", "--yes"]),
      sandbox.hook("user-prompt-submit", prompt),
      sandbox.hook("user-prompt-submit", prompt),
    ]);
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
    await sandbox.run(["forget", "--match", "mangrovelark", "--yes"]);
    await sandbox.run(["ingest", transcript, "--text-only"]);
    expect(remains()).toEqual([]);
  });

  test("takes a turn, a session or a file by its name, and knows what is none", async () => {
    const named = async (...args: string[]) => (await json("forget", ...args, "--dry-run")).turns;
    expect(await named("3")).toBe(1);
    expect(await named("1b7c0a52")).toBe(6);
    expect(await named("src/db/schema.ts")).toBe(1);
    expect(await named("--before", "2026-02-24")).toBeGreaterThan(5);
    for (const [args, code, hint] of [
      [["nowhere.ts"], 1, "--match"],
      [["0", "--yes"], 1, "There is no turn 0."],
      [["91", "--yes"], 1, "There is no turn 91."],
      [["1b7", "--yes"], 1, "at least 4 characters"],
      [["./schema.ts"], 1, "--match"],
      [["../other/src/db/schema.ts"], 1, "--match"],
      [["other/src/db/schema.ts"], 1, "--match"],
      [["/src/db/schema.ts"], 1, "--match"],
      [[], 64, "--match"],
      [["--match", "a"], 64, "at least 3"],
      [["--before", "someday"], 64, "as a time"],
    ] as const) {
      const { exitCode, stderr } = await sandbox.run(["forget", ...args]);
      expect([args, exitCode, stderr.includes(hint)]).toEqual([args, code, true]);
    }
  });

  test("a whole session goes for good, with what is written to it later", async () => {
    await sandbox.run(["forget", SESSION, "--yes"]);
    await write(transcript, [...entries(), entry(8, "user", "One more about zanzibarquux")]);
    await sandbox.run(["ingest", transcript, "--text-only"]);
    expect(remains()).toEqual([]);
    expect((await sandbox.run(["show", SESSION])).exitCode).toBe(1);
  });
});

describe("forget --prune, on the compiled binary", () => {
  test("takes the oldest, and does not bring back what is read again", async () => {
    const prune = ["--before", "2026-02-24", "--prune"];
    const { turns, to } = await json("forget", ...prune, "--dry-run");
    expect(turns).toBeGreaterThan(3);
    expect(to.slice(0, 10)).toBe("2026-02-23");
    expect(await json("forget", ...prune, "--yes")).toMatchObject({ outcome: "removed", turns });
    await sandbox.run(["ingest", SAMPLE, "--text-only"]);
    expect(await json("forget", ...prune, "--yes")).toMatchObject({ outcome: "nothing", turns: 0 });
  });

  test("makes the database smaller than it is told to", async () => {
    const { turns, bytes_after } = await json("forget", "--max-size", "1.2MB", "--yes");
    expect(turns).toBeGreaterThan(0);
    expect(bytes_after).toBeLessThanOrEqual(1_200_000);
  });

  test.each([
    [["--prune"]],
    [["--prune", "--before", "soon"]],
    [["--max-size", "huge"]],
    [["--prune", "--before", "1y", "--match", "kettle"]],
    [["42", "--max-size", "1GB"]],
  ])("%p is wrong usage", async (args) => {
    expect((await sandbox.run(["forget", ...args])).exitCode).toBe(64);
  });
});

test("names what goes where no turn does", async () => {
  await using other = await Sandbox.create({ model: "quick" });
  await enabled(other);
  const lines = [
    { ...entry(0, "user", "Where does the kettle stand?"), cwd: other.project, gitBranch: "feat/ocelotbarn" },
    { ...entry(1, "assistant", [{ type: "text", text: "On the stove." }]), cwd: other.project },
  ];
  await write(join(other.root, "t.jsonl"), lines);
  await other.run(["ingest", join(other.root, "t.jsonl"), "--text-only"]);
  const preview = await other.run(["forget", "--match", "ocelotbarn", "--dry-run"]);
  expect(preview.stdout).toBe(
    "Also      branch feat/ocelotbarn\n\nNothing was removed: this was a dry run.\n",
  );
  const { stdout } = await other.run(["forget", "--match", "ocelotbarn", "--yes"]);
  expect(stdout).toMatch(/^Forgotten: 1 other value\. The database .*\nThis cannot be undone/m);
});

test("ends while another process goes on reading, and the worker removes the bytes later", async () => {
  const { sandbox: other, database, reader, ended } = waiting;
  const holdsBytes = () =>
    readdirSync(dirname(database), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .some((file) => readFileSync(join(file.parentPath, file.name)).includes("ocelotbarn"));
  const { exitCode, stdout } = await ended;
  expect({ exitCode, left: stdout.includes("still contain the old bytes") }).toEqual({
    exitCode: 0,
    left: true,
  });
  expect(JSON.parse((await other.run(["search", "ocelotbarn", "--json"])).stdout).results).toEqual([]);
  expect(holdsBytes()).toBe(true);
  reader.run("COMMIT");
  reader.close();
  await other.run(["work"]);
  expect(holdsBytes()).toBe(false);
});

test("takes what waits to be read too", async () => {
  await using other = await Sandbox.create({ model: "quick" });
  await enabled(other);
  const transcript = join(other.home, ".claude", "projects", "-project", `${SESSION}.jsonl`);
  const said = (n: number, words: string) => ({ ...entry(n, "user", words), cwd: other.project });
  await write(transcript, [
    said(0, "How do we paint the fence?"),
    said(2, "Where does the ocelotbarn stand?"),
  ]);
  // The hook's worker is kept from running, so that the transcript waits.
  const lock = tryLock(join(dirname(other.memory("mementor.db")), "worker.lock"));
  const input = { session_id: SESSION, cwd: other.project, transcript_path: transcript };
  expect((await other.hook("stop", input)).exitCode).toBe(0);
  const { stdout } = await other.run(["forget", "--match", "ocelotbarn", "--yes", "--json"]);
  lock?.release();
  expect(JSON.parse(stdout)).toMatchObject({ outcome: "removed", turns: 1 });
  await other.run(["ingest", transcript, "--text-only"]);
  const recent = JSON.parse((await other.run(["recent", "--json"])).stdout);
  expect(recent.turns.map((turn: { first_words: string }) => turn.first_words)).toEqual([
    "How do we paint the fence?",
  ]);
});
