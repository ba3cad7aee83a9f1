import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { Sandbox } from "../support/sandbox.ts";

const FIXTURES = join(import.meta.dir, "..", "..", "fixtures");
const DATABASES = join(FIXTURES, "databases");
/** Every version that has left a database, with what it answered. */
const VERSIONS = readdirSync(DATABASES).flatMap((name) => /^(v.+)\.answers\.json$/.exec(name)?.[1] ?? []);

interface Answer {
  args: string[];
  answer: Record<string, unknown>;
}

let sandbox: Sandbox;
let answers: Answer[];

beforeAll(async () => {
  sandbox = await Sandbox.create();
  answers = await answersOf("v2");
});
afterAll(() => sandbox[Symbol.asyncDispose]());

async function answersOf(version: string): Promise<Answer[]> {
  return Bun.file(join(DATABASES, `${version}.answers.json`)).json();
}

async function oldDatabase(name: string, version = "v2"): Promise<string> {
  const file = join(sandbox.root, name);
  writeFileSync(file, Bun.zstdDecompressSync(await Bun.file(join(DATABASES, `${version}.db.zst`)).bytes()));
  return file;
}

/**
 * What may differ between versions: how near a result is, how sure a search is of it, and how turns and sessions without a
 * title are named. Version 1.0.0 also said which turn replaced a result (`replaced_by`). Only the best result of a search
 * counts: the ranking of the others changes as it gets better.
 */
const MAY_DIFFER = new Set([
  "passage",
  "distance",
  "score",
  "confidence",
  "replaced_by",
  "first_words",
  "headline",
]);

function comparable({ args, answer }: Answer): Answer {
  const results = args[0] === "search" && Array.isArray(answer.results) && answer.results.slice(0, 1);
  const whole = results ? { ...answer, results } : answer;
  return {
    args,
    answer: JSON.parse(JSON.stringify(whole), (key, value) =>
      mayDiffer(key, value) ? undefined : asThen(key, value),
    ),
  };
}

/** A session's number of files differs too: those versions counted directories. */
function mayDiffer(key: string, value: unknown): boolean {
  return MAY_DIFFER.has(key) || (key === "files" && typeof value === "number");
}

/** What those versions said: they called each sender of a prompt the user and a subagent the assistant, knew no titles, and listed directories as files. */
function asThen(key: string, value: unknown): unknown {
  if (typeof value === "string")
    return value
      .replace(/^\[The agent that started it\]/gm, "[User]")
      .replace(/^\[Subagent\]/gm, "[Assistant]");
  if (!Array.isArray(value)) return value;
  if (key === "sources") return value.filter((source) => source !== "title");
  return key === "files" && value.every((path) => typeof path === "string")
    ? value.filter((path) => path.slice(path.lastIndexOf("/") + 1).includes("."))
    : value;
}

/** Returns the parts of a value that another one has too: a later version may say more. */
function within(given: unknown, before: unknown): unknown {
  if (Array.isArray(given) && Array.isArray(before))
    return given.map((item, index) => (index < before.length ? within(item, before[index]) : item));
  if (!isObject(given) || !isObject(before)) return given;
  const known = Object.keys(before).filter((key) => key in given);
  return Object.fromEntries(known.map((key) => [key, within(given[key], before[key])]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Gives what asks now for what those versions were asked for: `turns` was a command of its own. */
function askedNow(args: readonly string[]): string[] {
  const [command, ...rest] = args;
  return command === "turns" ? ["show", "--turns", ...rest] : [...args];
}

async function expectSameAnswers(database: string, version = "v2"): Promise<void> {
  const given: Answer[] = [];
  const answered = await answersOf(version);
  for (const { args } of answered) {
    const { stdout, stderr } = await sandbox.run([...askedNow(args), "--db", database]);
    expect(stderr).toBe("");
    given.push({ args, answer: JSON.parse(stdout) });
  }
  const before = answered.map(comparable);
  expect(given.map((answer, index) => within(comparable(answer), before[index]))).toEqual(before);
}

function query<Row>(file: string, sql: string): Row[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.query<Row, []>(sql).all();
  } finally {
    db.close();
  }
}

test.each(VERSIONS)("a database of %s answers as the program did that wrote it", async (version) => {
  const database = await oldDatabase(`${version}-answers.db`, version);
  await expectSameAnswers(database, version);
  expect(
    query(database, "SELECT count(*) AS n FROM turns WHERE id NOT IN (SELECT turn_id FROM turn_parts)"),
  ).toEqual([{ n: 0 }]);
});

test("it reads its transcripts again: turns keep their ids and get what that version left out", async () => {
  const database = await oldDatabase("reread.db");
  const turns = () =>
    query<{ id: number; text: string }>(
      database,
      `SELECT id, session_id, line_index, agent_id, role, origin, provisional, prompt_uuid, created_at,
         replace(full_text, char(10), ' ') AS text FROM turns ORDER BY id`,
    );
  const before = turns();
  const folder = join(sandbox.root, "projects");
  cpSync(join(FIXTURES, "transcripts", "sample", "projects"), folder, { recursive: true });
  const db = new Database(database);
  db.query("UPDATE sources SET path = replace(path, '/home/dev/.claude/projects', ?)").run(folder);
  db.close();
  const nothing = join(sandbox.root, "nothing.jsonl");
  writeFileSync(nothing, "");
  const { exitCode } = await sandbox.run(["ingest", nothing, "--text-only", "--db", database]);
  expect(exitCode).toBe(0);
  expect(query(database, "SELECT count(*) AS n FROM sources WHERE reader_version = 0")).toEqual([{ n: 0 }]);
  expect(turns().map(({ text: _, ...turn }) => turn)).toEqual(before.map(({ text: _, ...turn }) => turn));
  const changed = turns().filter(({ text }, i) => text !== before[i]?.text);
  expect(changed.length).toBeGreaterThan(0);
  for (const { text } of changed) expect(text).toMatch(/Commit\("|PullRequest\("|Question: |\[Assistant\]/);
  expect(query(database, "SELECT id FROM turns WHERE full_text LIKE '%Commit(%'").length).toBeGreaterThan(3);
  const thinking = query(database, "SELECT 1 FROM turn_parts WHERE parts LIKE '%thinking%'");
  expect(thinking.length).toBeGreaterThan(5);
});

test("of several processes that open it at once, each gets its answer", async () => {
  const database = await oldDatabase("at-once.db");
  const shown = answers.filter(({ args }) => args[0] === "show");
  const given = await Promise.all(shown.map(({ args }) => sandbox.run([...args, "--db", database])));
  expect(given.map(({ stdout }, index) => within(JSON.parse(stdout), shown[index]?.answer))).toEqual(
    shown.map(({ answer }) => answer),
  );
});

test("a database of a newer version is refused with what to do, and stays as it is", async () => {
  await using newer = await Sandbox.create();
  await enabled(newer);
  await newer.run(["ingest", join(FIXTURES, "transcripts", "sample"), "--text-only"]);
  const file = newer.memory("mementor.db");
  const db = new Database(file);
  db.run("PRAGMA user_version = 999");
  db.query("PRAGMA wal_checkpoint(TRUNCATE)").all();
  db.close();
  const hash = () => Bun.hash(readFileSync(file));
  const before = hash();
  for (const args of [["search", "sqlite"], ["show", "1"], ["ingest"], ["forget", "1", "--yes"]]) {
    const { exitCode, stderr } = await newer.run(args);
    expect({ args, exitCode, stderr }).toEqual({
      args,
      exitCode: 1,
      stderr: expect.stringMatching(/written by a newer mementor[\s\S]*update mementor/),
    });
  }
  const input = { session_id: "s", cwd: newer.project, transcript_path: file };
  for (const event of ["user-prompt-submit", "pre-tool-use", "session-start", "stop"]) {
    const payload = {
      ...input,
      prompt: "why did we choose sqlite?",
      tool_name: "Edit",
      tool_input: { file_path: "a.ts" },
    };
    const { exitCode, stdout } = await newer.run(["hook", event], { stdin: JSON.stringify(payload) });
    expect({ event, exitCode, stdout }).toEqual({ event, exitCode: 0, stdout: "" });
  }
  expect((await newer.run(["work"])).exitCode).toBeLessThan(2);
  expect((await newer.run(["status"])).stdout).toContain("newer");
  expect(hash()).toBe(before);
});
