import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { Glob } from "bun";
import { contentsOf } from "../ingest/contents.ts";
import { BoundSandbox, CAN_BE_BOUND } from "../support/bound.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { until } from "../support/wait.ts";

const SAMPLE = join(import.meta.dir, "..", "..", "fixtures", "transcripts", "sample");
/** Some of the sample: history that was copied, and one session's subagent. */
const FEW = ["d8f20b49*", "e94b1c5a*", "7d52e9b4*/**/*"];
/** How often an ingest is killed; 200 times before a release. */
const KILLS = Number(process.env.MEMENTOR_TEST_KILLS ?? 8);
const PROCESSES = 10;
const PROMPT = `${JSON.stringify({
  type: "user",
  uuid: "00000000-0000-4000-8000-000000000001",
  sessionId: "5e550000-0000-4000-8000-000000000001",
  message: { role: "user", content: "Where may this be written?" },
})}\n`;

let sandbox: Sandbox;
let few: string;
/** What an ingest of the few stores that nothing disturbs. */
let undisturbed: string;
let databases = 0;

beforeAll(async () => {
  sandbox = await Sandbox.create({ model: "quick" });
  few = copyOf("few", FEW);
  undisturbed = newDatabase();
  await sandbox.run(["ingest", few, "--db", undisturbed]);
});

afterAll(() => sandbox[Symbol.asyncDispose]());

function newDatabase(): string {
  databases += 1;
  const directory = join(sandbox.root, `memory-${databases}`);
  mkdirSync(directory);
  return join(directory, "memory.db");
}

/** Copies what matches of the sample into a directory of its own. */
function copyOf(name: string, patterns: readonly string[]): string {
  const directory = join(sandbox.root, name);
  const project = join(SAMPLE, "projects", "-home-dev-tidemark");
  for (const pattern of patterns) {
    for (const file of new Glob(pattern).scanSync({ cwd: project, onlyFiles: true }))
      cpSync(join(project, file), join(directory, file));
  }
  return directory;
}

function transcriptsIn(directory: string): string[] {
  return [...new Glob("**/*.jsonl").scanSync({ cwd: directory, absolute: true })].sort();
}

function count(file: string, table: string): number {
  const db = new Database(file, { readonly: true });
  try {
    return db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
  } finally {
    db.close();
  }
}

/** How much of an ingest a database holds; 0 as long as it is not to be read. */
function progressOf(file: string): number {
  try {
    return count(file, "turns") + count(file, "chunk_vectors");
  } catch {
    return 0;
  }
}

describe("an ingest that is killed", () => {
  test("leaves a sound database, and the next one ends with what an undisturbed one has", async () => {
    const ingest = (file: string) => ["ingest", few, "--db", file];
    const expected = contentsOf(undisturbed);
    let file = newDatabase();
    for (let kills = 0; kills < KILLS; ) {
      const child = sandbox.start(ingest(file));
      // Killed ever later: before the database is there, while turns are written, while they are embedded.
      const goal = (kills / KILLS) * progressOf(undisturbed);
      await until("there is enough", () => progressOf(file) >= goal || child.exitCode !== null);
      const wasRunning = child.exitCode === null;
      child.kill("SIGKILL");
      await child.exited;
      kills += 1;
      if (wasRunning) {
        if (await Bun.file(file).exists()) expect(contentsOf(file).integrity).toEqual([["ok"]]);
        continue;
      }
      expect(contentsOf(file)).toEqual(expected);
      file = newDatabase();
    }
    expect((await sandbox.run(ingest(file))).exitCode).toBe(0);
    expect(contentsOf(file)).toEqual(expected);
  }, 3_600_000);

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "%s stops it where it is safe, with code %i, and the next one goes on",
    async (signal, code) => {
      const file = newDatabase();
      const child = sandbox.start(["ingest", few, "--db", file]);
      const reader = child.stderr.getReader();
      for (let told = ""; !told.includes("Embedding"); ) {
        const { value, done } = await reader.read();
        if (done) break;
        told += new TextDecoder().decode(value);
      }
      child.kill(signal);
      expect(await child.exited).toBe(code);
      expect(await child.stdout.text()).toMatch(
        /^Stopped {3}with \d+ chunks still to embed; what was read is kept, and the same command goes on\nRead {6}\d/,
      );
      const turns = count(file, "turns");
      const report = JSON.parse((await sandbox.run(["ingest", few, "--db", file, "--json"])).stdout);
      expect({ turns, inserted: report.turns.inserted, pending: report.chunks.pending }).toEqual({
        turns: 8,
        inserted: 0,
        pending: 0,
      });
    },
  );
});

describe("a place that takes no more", () => {
  const limited = (kilobytes: number, args: readonly string[]) =>
    Bun.spawn(["bash", "-c", `trap "" XFSZ; ulimit -f ${kilobytes}; exec "$0" "$@"`, BINARY, ...args], {
      cwd: sandbox.project,
      env: sandbox.env(),
      stdout: "pipe",
      stderr: "pipe",
    });

  test.each([8, 100, 1000])(
    "a file that may not grow over %i KB: an error, and nothing is lost",
    async (kilobytes) => {
      const file = newDatabase();
      const [first = "", ...others] = [
        ...new Glob("**/*.jsonl").scanSync({ cwd: SAMPLE, absolute: true }),
      ].sort();
      await sandbox.run(["ingest", first, "--db", file, "--text-only"]);
      const before = contentsOf(file);
      const child = limited(kilobytes, ["ingest", ...others, "--db", file, "--text-only"]);
      const message = await child.stderr.text();
      expect({
        code: await child.exited,
        isTold: /disk|database/.test(message),
        isTrace: /\n\s+at /.test(message),
      }).toEqual({ code: 1, isTold: true, isTrace: false });
      const after = contentsOf(file);
      expect(after.integrity).toEqual([["ok"]]);
      expect(after.turns).toEqual(expect.arrayContaining(before.turns ?? []));
      expect((await sandbox.run(["ingest", SAMPLE, "--db", file, "--text-only"])).exitCode).toBe(0);
      expect(count(file, "turns")).toBe(62);
    },
  );

  test.skipIf(!CAN_BE_BOUND)(
    "a directory that may not be written to: an error that names it, and the memory in it stays as it was",
    async () => {
      await using bound = await BoundSandbox.create();
      const transcripts = join(bound.sandbox.root, "transcripts");
      cpSync(SAMPLE, transcripts, { recursive: true });
      const directory = join(bound.sandbox.root, "memory");
      const file = join(directory, "memory.db");
      mkdirSync(directory);
      const ingest = () => bound.run(["ingest", transcripts, "--db", file, "--text-only"]);
      const tried = async () => {
        chmodSync(directory, 0o500);
        const { exitCode, stderr } = await ingest();
        const isTrace = /\n\s+at /.test(stderr);
        return { exitCode, isNamed: stderr.includes(file), isTrace, left: readdirSync(directory) };
      };
      expect(await tried()).toEqual({ exitCode: 1, isNamed: true, isTrace: false, left: [] });
      chmodSync(directory, 0o700);
      expect((await ingest()).exitCode).toBe(0);
      const before = contentsOf(file);
      appendFileSync(join(transcripts, "more.jsonl"), PROMPT);
      expect(await tried()).toMatchObject({ exitCode: 1, isNamed: true, isTrace: false });
      chmodSync(directory, 0o700);
      expect(contentsOf(file)).toEqual(before);
      expect((await ingest()).exitCode).toBe(0);
      expect(count(file, "turns")).toBe(63);
    },
  );

  test("a transcript that cannot be read is named, and costs no other", async () => {
    const transcripts = join(sandbox.root, "unreadable");
    cpSync(SAMPLE, transcripts, { recursive: true });
    const [file = ""] = new Glob("**/*.jsonl").scanSync({ cwd: transcripts, absolute: true });
    rmSync(file);
    mkdirSync(file);
    const { exitCode, stdout } = await sandbox.run([
      "ingest",
      file,
      transcripts,
      "--db",
      newDatabase(),
      "--text-only",
      "--json",
    ]);
    expect({ exitCode, files: JSON.parse(stdout).files }).toEqual({
      exitCode: 0,
      files: { read: 13, unchanged: 0, rewritten: 0, failed: 0, excluded: 0 },
    });
  });
});

test("ten processes at once store everything once, and none fails", async () => {
  const file = newDatabase();
  const transcripts = transcriptsIn(few);
  const runs = Array.from({ length: PROCESSES }, (_, index) => {
    const same =
      index % 2 === 0
        ? [few]
        : [transcripts[index % transcripts.length] ?? "", ...transcripts.slice(index % 7)];
    return sandbox.run(["ingest", ...same, "--db", file, "--json"]);
  });
  const results = await Promise.all(runs);
  expect(results.map(({ exitCode, stderr }) => ({ exitCode, trouble: /lock|error/i.test(stderr) }))).toEqual(
    results.map(() => ({ exitCode: 0, trouble: false })),
  );
  const [together, expected] = [contentsOf(file), contentsOf(undisturbed)];
  expect(together.integrity).toEqual([["ok"]]);
  expect({
    pending: together.pending,
    entries: together.entries?.length,
    turns: together.turns?.length,
  }).toEqual({
    pending: [],
    entries: expected.entries?.length,
    turns: expected.turns?.length,
  });
});

test("a transcript that is gone stays in the memory, can be searched and embedded anew", async () => {
  const file = newDatabase();
  cpSync(undisturbed, file);
  const kept = join(sandbox.root, "kept");
  renameSync(few, kept);
  using _back = { [Symbol.dispose]: () => cpSync(kept, few, { recursive: true }) };
  mkdirSync(few);
  const question = ["search", "why did we choose sqlite for the bookmarks?", "--db", file, "--json"];
  const before = contentsOf(file);
  expect((await sandbox.run(["ingest", few, "--db", file])).exitCode).toBe(0);
  expect(contentsOf(file)).toEqual(before);
  const found = await sandbox.run(question);
  expect(JSON.parse(found.stdout).results.length).toBeGreaterThan(0);

  const db = new Database(file);
  db.run("DELETE FROM chunk_bits");
  db.run("DELETE FROM chunk_vectors");
  db.run(
    `INSERT INTO pending_vectors SELECT m.id, c.vector_rank, coalesce(t.created_at, ''), c.id
       FROM models m, chunks c JOIN turns t ON t.id = c.turn_id WHERE c.vector_rank IS NOT NULL`,
  );
  db.close();
  expect((await sandbox.run(["ingest", few, "--db", file])).exitCode).toBe(0);
  expect(contentsOf(file)).toEqual(before);
});

describe("what must not be stored", () => {
  test("is in no byte of the database, its log or the log file", async () => {
    await using own = await Sandbox.create({ model: "quick" });
    const session = "5e550000-0000-4000-8000-00000000cafe";
    const hidden = {
      private: "marmalade-of-the-north",
      prompt: `ghp_${"Zq3".repeat(12)}`,
      thinking: `AKIA${"Q7WXZ2PLMN4RTYUV"}`,
      command: "hunter2correcthorse",
      error: `xoxb-${"571830264915"}-${"Zk3q9Tw7Lx2Vb8Nd5RaB1cDe"}`,
      excluded: "src/secret-plans",
      project: "left-out-project",
    };
    const common = {
      sessionId: session,
      cwd: own.project,
      timestamp: "2026-03-02T09:00:00.000Z",
      version: "2.1.50",
    };
    const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
    const lines = [
      {
        ...common,
        type: "user",
        uuid: uuid(1),
        message: {
          role: "user",
          content: `Visible words. <private>${hidden.private}</private> and token ${hidden.prompt}`,
        },
      },
      {
        ...common,
        type: "assistant",
        uuid: uuid(2),
        message: {
          role: "assistant",
          content: [
            { type: "thinking", thinking: `The key is ${hidden.thinking}.` },
            { type: "text", text: `An open <private>${hidden.private}` },
            {
              type: "tool_use",
              id: "t1",
              name: "Bash",
              input: { command: `psql postgres://ada:${hidden.command}@db/x` },
            },
            {
              type: "tool_use",
              id: "t2",
              name: "Read",
              input: { file_path: join(own.project, hidden.excluded, "a.ts") },
            },
          ],
        },
      },
      {
        ...common,
        type: "user",
        uuid: uuid(3),
        message: {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t1", is_error: true, content: `refused: ${hidden.error}` },
          ],
        },
      },
      {
        ...common,
        cwd: `/home/ada/${hidden.project}`,
        sessionId: "5e550000-0000-4000-8000-00000000dead",
        type: "user",
        uuid: uuid(4),
        message: { role: "user", content: "Words of the project that is left out: zanzibar" },
      },
    ];
    const transcript = join(own.root, `${session}.jsonl`);
    writeFileSync(
      transcript,
      `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"broken ${hidden.private}\n`,
    );
    const config = join(own.home, ".config", "mementor");
    mkdirSync(config, { recursive: true });
    writeFileSync(
      join(config, "config.json"),
      JSON.stringify({
        exclude: { paths: [`${hidden.excluded}/**`], projects: [`**/${hidden.project}`] },
        log: { level: "debug" },
      }),
    );
    const { exitCode, stdout, stderr } = await own.run(["ingest", transcript, "--json"]);
    expect({ exitCode, inserted: JSON.parse(stdout).turns.inserted }).toEqual({ exitCode: 0, inserted: 1 });
    const memory = own.memory();
    // A connection that stays open keeps the write-ahead log beside the database.
    const files = readdirSync(memory, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const bytes = Buffer.concat(files.map((entry) => readFileSync(join(entry.parentPath, entry.name))));
    expect(bytes.includes("Visible words")).toBe(true);
    const leaked = [...Object.values(hidden), "zanzibar"].filter(
      (secret) => bytes.includes(secret) || stdout.includes(secret) || stderr.includes(secret),
    );
    expect(leaked).toEqual([]);
    expect(
      files
        .map(({ name }) => basename(name))
        .filter((name) => name.endsWith(".log") || name.endsWith(".jsonl")).length,
    ).toBeGreaterThan(0);
  });
});
