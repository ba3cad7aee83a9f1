import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { startPglite, type TestServer } from "../support/postgres/pglite.ts";
import { startProxy, type TestProxy } from "../support/postgres/proxy.ts";
import { git, writeSession } from "../support/projects.ts";
import { Sandbox } from "../support/sandbox.ts";
import { schemaProblems } from "../support/schema.ts";
import { workerDone } from "./client.ts";

const PROJECT = "github.com/acme/shop";

let server: TestServer;
let proxy: TestProxy;
let sql: SQL;
let admin: Sandbox;
let ada: Sandbox;
let password = "";

beforeAll(async () => {
  server = await startPglite();
  proxy = await startProxy(server.port);
  sql = new SQL(server.url, { max: 1, prepare: false });
  admin = await Sandbox.create({ model: "quick" });
  await admin.run(["team", "init", server.url]);
  const added = await admin.run(["team", "add", "ada", "--project", PROJECT, "--json"]);
  ({ password } = JSON.parse(added.stdout));
  ada = await Sandbox.create({ model: "quick" });
  await git(ada.project, "init", "-q");
  await git(ada.project, "remote", "add", "origin", "git@github.com:acme/shop.git");
  await json("enable", "--no-history").catch(() => null);
  writeSession(ada, ada.project, [
    ["Which queue for plums?", "We use plumqueue."],
    ["Which queue for pears?", "We use pearqueue."],
    ["Which queue for figs?", "We use figqueue."],
    ["Which queue for limes?", "We use limequeue."],
  ]);
  await json("ingest");
  await joined();
  await json("team", "share", "on", "--yes");
});
afterAll(async () => {
  await workerDone(ada);
  await Promise.all([ada[Symbol.asyncDispose](), admin[Symbol.asyncDispose](), sql.close()]);
  await proxy[Symbol.asyncDispose]();
  await server.stop();
});

function run(...args: string[]) {
  return ada.run(args, { cwd: ada.project, stdin: `${password}\n` });
}

// biome-ignore lint/suspicious/noExplicitAny: what a command prints is checked by the test
async function json(...args: string[]): Promise<any> {
  const { stdout, stderr, exitCode } = await run(...args, "--json");
  if (exitCode !== 0) throw new Error(`mementor ${args.join(" ")}: ${stderr}`);
  const value = JSON.parse(stdout);
  if (args[0] === "team") expect(schemaProblems("team", value)).toEqual([]);
  return value;
}

function joined() {
  return json("team", "join", "--yes", proxy.urlOf(server.urlOf("ada")), "--password-stdin");
}

async function turnOf(word: string): Promise<string> {
  const { results } = await json("search", word, "--mode", "keyword", "--limit", "1");
  return String(results[0].turn_id);
}

/** The words of the turns that the team has. */
async function withTeam(): Promise<string[]> {
  const rows = await sql.unsafe("SELECT full_text AS text FROM mementor.turns ORDER BY created_at");
  return rows.map(({ text }: { text: string }) => /We use (\w+)queue/.exec(text)?.[1]);
}

test("a leave removes first what was forgotten", async () => {
  expect(await withTeam()).toEqual(["plum", "pear", "fig", "lime"]);
  await run("forget", await turnOf("plumqueue"), "--yes");
  expect(await json("team", "leave", "--yes")).toMatchObject({ shared: 3 });
  expect(await withTeam()).toEqual(["pear", "fig", "lime"]);
});

test("a join finds what the team has of the user, and removes it", async () => {
  expect(await joined()).toMatchObject({ shared: 3, sharing: null, is_synced: true, is_new: false });
  expect(await json("team", "status")).toMatchObject({ shared: 3, hidden: 0 });
  expect(await json("team", "unshare", await turnOf("pearqueue"), "--yes")).toEqual({
    turns: 1,
    is_synced: true,
  });
  expect(await withTeam()).toEqual(["fig", "lime"]);
});

test("without a server, a leave names what it cannot remove; with --keep, the next join removes it", async () => {
  await proxy.goAway();
  await run("team", "unshare", await turnOf("figqueue"), "--yes");
  const refused = await run("team", "leave", "--yes");
  expect(refused).toMatchObject({ exitCode: 1 });
  expect(refused.stderr).toContain("A turn that you unshared is still with the team, and");
  expect(refused.stderr).toContain('Leave later. Or leave now with "--keep"');
  expect(await json("team", "leave", "--keep", "--yes")).toMatchObject({ shared: 2 });
  await proxy.comeBack();
  expect(await withTeam()).toEqual(["fig", "lime"]);
  expect(await joined()).toMatchObject({ shared: 1 });
  expect(await withTeam()).toEqual(["lime"]);
});

test("a leave with --erase removes what another membership shared", async () => {
  expect(await json("team", "leave", "--erase", "--yes")).toMatchObject({ erased: true, shared: 0 });
  expect(await withTeam()).toEqual([]);
});

test("a password that the environment has is not kept, and that is said", async () => {
  const url = proxy.urlOf(server.urlOf("ada"));
  const { stderr, exitCode } = await ada.run(["team", "join", "--yes", url], {
    cwd: ada.project,
    env: { PGPASSWORD: password },
  });
  expect({ stderr, exitCode }).toEqual({
    stderr: `The password comes from the environment and is not stored: where the variable is missing, nothing is synced.
To keep it, join again with --password-stdin, or put it into ~/.pgpass.
`,
    exitCode: 0,
  });
});
