import { afterAll, beforeAll, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { SQL } from "bun";
import { connect } from "../../src/store/postgres/client/connect.ts";
import { teamProject } from "../../src/store/postgres/query.ts";
import { planPage } from "../../src/store/postgres/team/read-turns.ts";
import { enabled } from "../support/enabled.ts";
import { startPglite, type TestServer } from "../support/postgres/pglite.ts";
import { Sandbox } from "../support/sandbox.ts";
import { workerDone } from "./client.ts";

const PROJECT = "github.com/acme/shop";
const DEVICE = "00000000-0000-4000-8000-00000000000e";
/** A session, the member's device and places for turns, as the client writes them. */
const GROUND = [
  "INSERT INTO mementor.devices (project_id, author, device_id, last_number, chain) VALUES (1, current_user, $1, 6, '\\x36')",
  "INSERT INTO mementor.sessions (project_id, session_id, started_at) VALUES (1, 's', '2026-01-01T09:00:00.000Z')",
];

let server: TestServer;
let sandbox: Sandbox;
let mallory: SQL;
let urlOfMallory: string;

beforeAll(async () => {
  server = await startPglite();
  sandbox = await Sandbox.create({ model: "quick" });
  await enabled(sandbox);
  await sandbox.run(["team", "init", server.url]);
  const added = async (name: string) =>
    JSON.parse((await sandbox.run(["team", "add", name, "--project", PROJECT, "--json"])).stdout).password;
  const [bob, evil] = [await added("bob"), await added("mallory")];
  const joined = ["team", "join", server.urlOf("bob"), "--project", PROJECT, "--password-stdin"];
  await sandbox.run(joined, { stdin: `${bob}\n` });
  urlOfMallory = server.urlOf("mallory", evil);
  mallory = new SQL(urlOfMallory, { max: 1, prepare: false });
  await mallory.unsafe("SELECT mementor.reserve_ids(1, 6, 20001)");
  await mallory.unsafe(GROUND[0] ?? "", [DEVICE]);
  await mallory.unsafe(GROUND[1] ?? "");
});
afterAll(async () => {
  await mallory.close();
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
  await server.stop();
});

/** Writes a turn past the client, and the change by which colleagues learn of it. */
async function forge(
  number: number,
  text: string,
  tools = "[]",
  key: Uint8Array = Buffer.from(`${number}`),
): Promise<void> {
  await mallory.unsafe(
    `INSERT INTO mementor.turns (project_id, turn_id, device_id, turn_key, session_id, role, origin, tool_summary, parts,
       full_text, words, length, created_at)
     VALUES (1, $1, $2, $3, 's', 'turn', 'human', $4, '[]', ${text}, '''1:quokka'':1', 1, '2026-01-01T09:00:00.000Z')`,
    [number, DEVICE, key, tools],
  );
  await mallory.unsafe(
    `INSERT INTO mementor.changes (project_id, author, device_id, number, kind, target, turn_key, digest, chain)
     VALUES (1, current_user, $1, $2, 'put', current_user, $3, '', $4)`,
    [DEVICE, number, key, Buffer.from(`${number}`)],
  );
}

const LARGE: [string, string, string][] = [
  ["a text of nine million letters", "repeat('quokka sat ', 900000)", "[]"],
  ["a text of few letters and many bytes", "repeat('😀', 8500000)", "[]"],
  ["a list of tools as long", "'[User] quokka'", JSON.stringify(["x".repeat(8_100_000)])],
];

test.each(LARGE)("the database refuses %s", async (_what, text, tools) => {
  expect(await forge(1, text, tools).catch((error: Error) => error.message)).toContain("turns_size");
});

test("the database refuses titles, messages and addresses of that size", async () => {
  for (const statement of [
    "UPDATE mementor.sessions SET title = repeat('t', 8500000) WHERE project_id = 1 AND session_id = 's'",
    "INSERT INTO mementor.sessions (project_id, session_id, branch) VALUES (1, 'b', repeat('b', 8500000))",
    "INSERT INTO mementor.pr_links (project_id, session_id, pr_number, pr_url, pr_repository) VALUES (1, 's', 1, 'https://forge.test/1', repeat('r', 8500000))",
  ])
    expect(await mallory.unsafe(statement).catch((error: Error) => error.message)).toContain("_size");
});

test("the database refuses keys that only an index makes small", async () => {
  for (const [table, columns] of [
    ["changes", "device_id, number, kind, target, digest, chain"],
    ["tombstones", "device_id, target"],
  ]) {
    const values =
      table === "changes" ? `'${DEVICE}', 9, 'void', current_user, '', ''` : `'${DEVICE}', current_user`;
    const statement = `INSERT INTO mementor.${table} (project_id, author, turn_key, ${columns})
      VALUES (1, current_user, ('\\x' || repeat('00', 150000))::bytea, ${values})`;
    expect(await mallory.unsafe(statement).catch((error: Error) => error.message)).toContain("turn_key_size");
  }
});

test("rows of before the limits are passed over, and what is beside them arrives", async () => {
  const owner = new SQL(server.url, { max: 1, prepare: false });
  for (const [table, limit] of [
    ["turns", "turns_size"],
    ["turns", "turn_key_size"],
    ["changes", "turn_key_size"],
  ])
    await owner.unsafe(`ALTER TABLE mementor.${table} DROP CONSTRAINT IF EXISTS ${limit}`);
  await owner.close();
  await forge(1, "'[User] quokka one'");
  await forge(2, "repeat('quokka sat ', 4000000)");
  await forge(3, "'[User] quokka three'", JSON.stringify(["y".repeat(9_000_000)]));
  await forge(4, "'[User] quokka four'", JSON.stringify(["z".repeat(9_000_000)]));
  await forge(5, "'[User] quokka five'", "[]", new Uint8Array(150_000));
  await forge(6, "'[User] quokka six'");
  await mallory.unsafe(`INSERT INTO mementor.chunks (project_id, chunk_id, turn_id, chunk_index, start, "end", content, words,
      length)
    SELECT 1, n, 6, n, 0, 1, 'q', ''::tsvector, 1 FROM generate_series(1, 20001) n`);
  await using database = await connect(urlOfMallory, { env: {}, home: "/nowhere" });
  const planned = (id: number) => teamProject(database, 1).read((all) => planPage(all, [id]));
  const pages = await Promise.all([1, 2, 3, 4, 5, 6].map(planned));
  expect(pages.map(({ fitting }) => fitting)).toEqual([[1], [], [3], [4], [5], []]);
  const { exitCode, stderr } = await sandbox.run(["team", "sync"]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  const { stdout } = await sandbox.run(["export", "--author", "all"]);
  expect(
    ["one", "sat", "three", "four", "five", "six"].filter((word) => stdout.includes(`quokka ${word}`)),
  ).toEqual(["one", "three", "four"]);
  expect(statSync(sandbox.memory("mementor.db")).size).toBeLessThan(60_000_000);
});
