import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { noteSyncDue } from "../../src/project/queue.ts";
import { startPglite, type TestServer } from "../support/postgres/pglite.ts";
import { startProxy, type TestProxy } from "../support/postgres/proxy.ts";
import { AUTHORITY, startRecordingServer } from "../support/postgres/tls-server.ts";
import { git, writeSession } from "../support/projects.ts";
import { type RunResult, Sandbox } from "../support/sandbox.ts";
import { until } from "../support/wait.ts";
import { Client, workerDone } from "./client.ts";

const PROJECT = "github.com/acme/shop";

let server: TestServer;
let proxy: TestProxy;
let admin: Sandbox;
let ada: Sandbox;
let sql: SQL;
let sessions = 0;

beforeAll(async () => {
  server = await startPglite();
  proxy = await startProxy(server.port);
  sql = new SQL(server.url, { max: 1, prepare: false });
  admin = await Sandbox.create({ model: "quick" });
  await admin.run(["team", "init", server.url]);
  const added = await admin.run(["team", "add", "ada", "--project", PROJECT, "--json"]);
  ada = await Sandbox.create({ model: "quick" });
  await git(ada.project, "init", "-q");
  await git(ada.project, "remote", "add", "origin", "git@github.com:acme/shop.git");
  await ok("enable", "--no-history");
  const { password } = JSON.parse(added.stdout);
  const url = proxy.urlOf(server.urlOf("ada"));
  expect(
    await ada.run(["team", "join", "--yes", url, "--password-stdin"], {
      cwd: ada.project,
      stdin: `${password}\n`,
    }),
  ).toMatchObject({ stderr: "", exitCode: 0 });
  await remember();
  await ok("team", "share", "on", "--yes");
});
afterAll(async () => {
  await workerDone(ada);
  await Promise.all([ada[Symbol.asyncDispose](), admin[Symbol.asyncDispose](), sql.close()]);
  await proxy[Symbol.asyncDispose]();
  await server.stop();
});

function run(...args: string[]): Promise<RunResult> {
  return ada.run(args, { cwd: ada.project });
}

async function ok(...args: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await run(...args);
  if (exitCode !== 0) throw new Error(`mementor ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** Stores a turn with a word of its own, and returns that word. */
async function remember(): Promise<string> {
  const word = `quokka${"abcdefghijklmnopqrstuvwxyz"[sessions++]}queue`;
  const talk: [string, string][] = [
    [`Which queue is for task ${word}?`, `We decided to use ${word} for it.`],
  ];
  writeSession(ada, ada.project, [...talk, ["Thanks, that is all", "You are welcome."]]);
  await ok("ingest");
  return word;
}

const LONG_AGO = "2026-01-01T00:00:00.000Z";

/** Makes the next sync due: after a failure, the worker waits for a while. */
function letTimePass(): void {
  using db = database();
  db.run("UPDATE team SET last_sync = json_set(last_sync, '$.triedAt', ?)", [LONG_AGO]);
  noteSyncDue(ada.memoryOf(ada.project), new Date());
}

/**
 * Waits until a worker has synced, or tried to. Where one was about to end when the hook came, none is started for that
 * hook, but for the next one.
 */
async function synced(client: Client): Promise<void> {
  await until("a worker has tried to sync", async () => {
    if (!hasTried()) await stop(client);
    return hasTried();
  });
  await workerDone(ada);
}

function hasTried(): boolean {
  using db = database();
  const row = db.query("SELECT last_sync ->> 'triedAt' AS at FROM team").get();
  return (row as { at: string }).at !== LONG_AGO;
}

function database(): Database {
  const db = new Database(join(ada.memoryOf(ada.project), "mementor.db"));
  db.run("PRAGMA busy_timeout = 10000");
  return db;
}

/** A hook that finds no transcript that has grown. */
async function stop(client: Client): Promise<void> {
  expect(await client.stop()).toMatchObject({ exitCode: 0, stderr: "", stdout: "" });
  await workerDone(ada);
}

async function onServer(word: string): Promise<number> {
  const [row] = await sql.unsafe(
    "SELECT count(*)::int AS n FROM mementor.turns WHERE full_text LIKE '%We decided to use ' || $1 || '%'",
    [word],
  );
  return row.n;
}

function teamLineOf(status: string): string {
  return status.split("\n").find((line) => /^\s*Team\b/.test(line)) ?? "";
}

/** Changes the URL that the member's settings name; returns what puts the former one back. */
function settings(change: (team: { url: string; password: string | null }) => void): () => void {
  const file = join(ada.home, ".config", "mementor", "teams.json");
  const before = readFileSync(file, "utf8");
  const changed = JSON.parse(before);
  for (const team of Object.values(changed.teams)) change(team as { url: string; password: string | null });
  writeFileSync(file, JSON.stringify(changed));
  return () => writeFileSync(file, before);
}

/** Lets the server answer every push with an error of PostgreSQL. */
async function failPushes(state: string): Promise<() => Promise<unknown>> {
  await sql
    .unsafe(
      `CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'the server cannot write' USING ERRCODE = '${state}'; END $$;
       CREATE TRIGGER fail BEFORE INSERT ON mementor.changes FOR EACH STATEMENT EXECUTE FUNCTION public.fail()`,
    )
    .simple();
  return () => sql.unsafe("DROP FUNCTION public.fail CASCADE");
}

async function version(change: string): Promise<() => Promise<unknown>> {
  await sql.unsafe(`UPDATE mementor.meta SET schema_version = schema_version ${change}`);
  const back = change.startsWith("+") ? change.replace("+", "-") : change.replace("-", "+");
  return () => sql.unsafe(`UPDATE mementor.meta SET schema_version = schema_version ${back}`);
}

/** Ends a trouble once: when the test says so, or when it fails. */
function ending(end: () => unknown): AsyncDisposable & { end(): Promise<void> } {
  let isOver = false;
  const once = async () => {
    if (isOver) return;
    isOver = true;
    await end();
  };
  return { end: once, [Symbol.asyncDispose]: once };
}

/** What goes wrong, what `status` says of it, and how it comes about; each returns what ends it. */
const TROUBLES: [string, RegExp, () => Promise<() => unknown>][] = [
  [
    "a server that cannot be reached",
    /reach|answer|connect/i,
    async () => {
      await proxy.goAway();
      return () => proxy.comeBack();
    },
  ],
  [
    "a wrong password",
    /login|password|refuse/i,
    async () => settings((team) => Object.assign(team, { password: "wrong" })),
  ],
  [
    "a quota that is used up",
    /quota/,
    async () => {
      await sql.unsafe("UPDATE mementor.members SET max_bytes = 1");
      return () => sql.unsafe("UPDATE mementor.members SET max_bytes = 2000000000");
    },
  ],
  ["a full disk", /Tell its administrator/, () => failPushes("53100")],
  ["a server that is read-only", /its provider has stopped writing/, () => failPushes("25006")],
  ["a newer schema", /newer/, () => version("+ 1")],
  ["an older schema", /older/, () => version("- 1")],
  [
    "an expired certificate",
    /expired/,
    async () => {
      const bad = await startRecordingServer("expired");
      const back = settings((team) => {
        team.url = `postgres://ada@localhost:${bad.port}/memory?sslmode=verify-full&sslrootcert=${encodeURIComponent(AUTHORITY)}`;
      });
      return async () => {
        expect(bad.received.toString("latin1")).toBe("");
        back();
        await bad[Symbol.asyncDispose]();
      };
    },
  ],
];

test.each(TROUBLES)(
  "%s: all works here, status says why, and sync goes on by itself",
  async (_, message, begin) => {
    const word = await remember();
    await using trouble = ending(await begin());
    const failed = await run("team", "sync");
    expect(failed).toMatchObject({ stdout: "" });
    expect(failed.exitCode).not.toBe(0);
    expect(failed.stderr).toMatch(message);
    const [, problem = "nothing"] = /^mementor: (.*?)(?:: postgres:.*)?[.]?$/m.exec(failed.stderr) ?? [];

    expect(teamLineOf(await ok("status")).toLowerCase()).toContain(problem.toLowerCase());
    expect(await ok("search", word)).toContain(word);
    const client = new Client(ada);
    expect(await client.prompt(`Which queue is for task ${word}?`)).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
    await stop(client);
    expect(await onServer(word)).toBe(0);

    await trouble.end();
    letTimePass();
    await stop(client);
    await synced(client);
    expect(await onServer(word)).toBe(1);
    expect(teamLineOf(await ok("status"))).not.toContain("not synced");
  },
);

test("a server that does not answer: hooks and commands answer before it does", async () => {
  const word = await remember();
  proxy.mode = "blackhole";
  letTimePass();
  const client = new Client(ada);
  expect(await client.prompt(`Which queue is for task ${word}?`)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await client.stop()).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await ok("search", word)).toContain(word);
  expect(teamLineOf(await ok("status"))).not.toBe("");
  expect(proxy.mode).toBe("blackhole");
  proxy.mode = "pass";
  proxy.cut();
  await synced(client);
  expect(await onServer(word)).toBe(1);
});

test("a server whose answers are late: only the worker waits, and it goes on", async () => {
  const word = await remember();
  await using late = ending(proxy.hold());
  letTimePass();
  const client = new Client(ada);
  const before = proxy.connections;
  expect(await client.stop()).toMatchObject({ exitCode: 0, stderr: "" });
  await until("the worker has connected", () => proxy.connections > before);

  expect(await client.sessionStart("startup")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await client.prompt(`Which queue is for task ${word}?`)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await client.tool("Read", { file_path: join(ada.project, "a.ts") })).toMatchObject({ exitCode: 0 });
  expect(await client.stop()).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await ok("search", word)).toContain(word);
  expect(teamLineOf(await ok("status"))).toMatch(/synced .*; \d+ changes? waits?; a sync is under way$/);
  expect(proxy.connections).toBe(before + 1);
  expect(await onServer(word)).toBe(0);

  const asked = await run("team", "sync");
  expect(asked).toMatchObject({ exitCode: 1, stdout: "" });
  expect(asked.stderr).toMatch(/does not answer/);

  await late.end();
  await until("the worker has sent it", async () => (await onServer(word)) === 1);
  await workerDone(ada);
  expect(teamLineOf(await ok("status"))).not.toContain("not synced");
});

test("what is forgotten leaves the team soon, without another command", async () => {
  const word = await remember();
  await ok("team", "sync");
  expect(await onServer(word)).toBe(1);
  await ok("forget", "--match", `We decided to use ${word}`, "--yes");
  await until("a worker has told the team", async () => (await onServer(word)) === 0);
  await workerDone(ada);
});

test("with the memory its team's password is deleted, and other projects keep theirs", async () => {
  const file = join(ada.home, ".config", "mementor", "teams.json");
  const { teams } = JSON.parse(readFileSync(file, "utf8"));
  const [own = {}] = Object.values(teams);
  writeFileSync(file, JSON.stringify({ version: 1, teams: { ...teams, another: own } }));
  await ok("disable", "--purge", "--yes");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ version: 1, teams: { another: own } });
});
