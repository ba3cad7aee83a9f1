import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { SQL } from "bun";
import { startTeam, type TestTeam } from "../../support/postgres/team.ts";

/** Ada and grace share the project `shop`; olga is its admin; eve has a project of her own. */
let team: TestTeam;
let ada: SQL;
let grace: SQL;
let eve: SQL;
let olga: SQL;
let shop: number;
let farm: number;

const DEVICE = "00000000-0000-4000-8000-000000000001";
const REFUSED = { errno: "42501" };

beforeAll(async () => {
  team = await startTeam();
  ada = team.as("ada");
  grace = team.as("grace");
  eve = team.as("eve");
  olga = team.as("olga");
});
afterAll(() => team[Symbol.asyncDispose]());

let count = 0;
beforeEach(async () => {
  shop = await team.addProject(`shop ${count}`, ["ada", "grace"], ["olga"]);
  farm = await team.addProject(`farm ${count++}`, ["eve"]);
});

/** Writes a turn with a chunk as a member does, and returns its id. */
async function write(
  sql: SQL,
  project: number,
  key: string,
  more: { author?: string } = {},
): Promise<number> {
  const [ids] = await sql.unsafe("SELECT first_turn::int AS id FROM mementor.reserve_ids($1, 1, 1, 0)", [
    project,
  ]);
  const author = more.author === undefined ? "" : ", author";
  const value = more.author === undefined ? "" : `, '${more.author}'`;
  await sql.unsafe(
    `INSERT INTO mementor.sessions (project_id, session_id${author}) VALUES ($1, 's1'${value}) ON CONFLICT DO NOTHING`,
    [project],
  );
  await sql.unsafe(
    `INSERT INTO mementor.turns (project_id, turn_id, turn_key, session_id, role, origin, tool_summary, parts, full_text,
       words, length${author}) VALUES ($1, $2, $3, 's1', 'turn', 'human', '[]', '[]', 'the text', '', 2${value})`,
    [project, ids.id, Buffer.from(key)],
  );
  await sql.unsafe(
    `INSERT INTO mementor.chunks (project_id, chunk_id, turn_id, chunk_index, content_hash, start, "end", content, words,
       length) SELECT project_id, turn_id, turn_id, 0, '\\x00', 0, 8, full_text, words, length FROM mementor.turns
       WHERE project_id = $1 AND turn_id = $2`,
    [project, ids.id],
  );
  return ids.id;
}

const turnsOf = async (sql: SQL, project: number): Promise<string[]> =>
  (
    await sql.unsafe(
      "SELECT convert_from(turn_key, 'utf8') AS key FROM mementor.turns WHERE project_id = $1 ORDER BY turn_id",
      [project],
    )
  ).map(({ key }: { key: string }) => key);

const usageOf = async (sql: SQL, author: string) =>
  (
    await sql.unsafe(
      `SELECT rows::int, turns::int, turn_words::int AS "turnWords", chunks::int, chunk_words::int AS "chunkWords", bytes::int
       FROM mementor.usage WHERE project_id = $1 AND author = $2`,
      [shop, author],
    )
  )[0];

test("members read their project, and nobody else's", async () => {
  await write(ada, shop, "a");
  await write(eve, farm, "e");
  expect(await turnsOf(grace, shop)).toEqual(["a"]);
  expect(await turnsOf(grace, farm)).toEqual([]);
  expect(await turnsOf(eve, shop)).toEqual([]);
  const tables = await team.admin.unsafe(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'mementor'",
  );
  for (const { name } of tables) {
    if (name === "meta") continue;
    const [seen] = await eve.unsafe(`SELECT count(*)::int AS n FROM mementor.${name} WHERE project_id = $1`, [
      shop,
    ]);
    expect([name, seen.n]).toEqual([name, 0]);
  }
  await expect(eve.unsafe("SELECT * FROM mementor.project_members($1)", [shop])).rejects.toMatchObject(
    REFUSED,
  );
  await expect(eve.unsafe("SELECT * FROM mementor.reserve_ids($1, 1, 1, 1)", [shop])).rejects.toMatchObject(
    REFUSED,
  );
});

test("nobody writes into another project", async () => {
  await expect(
    eve.unsafe("INSERT INTO mementor.sessions (project_id, session_id) VALUES ($1, 's')", [shop]),
  ).rejects.toMatchObject(REFUSED);
  const turn = await write(eve, farm, "e");
  await expect(
    eve.unsafe("UPDATE mementor.turns SET project_id = $1 WHERE turn_id = $2", [shop, turn]),
  ).rejects.toMatchObject(REFUSED);
});

test("nobody changes or deletes rows of another author", async () => {
  const turn = await write(ada, shop, "a");
  const tables = ["sessions", "turns", "chunks"];
  for (const table of tables) {
    const where = `mementor.${table} WHERE project_id = ${shop}`;
    expect((await grace.unsafe(`DELETE FROM ${where}`)).count).toBe(0);
    expect((await olga.unsafe(`DELETE FROM ${where}`)).count).toBe(0);
  }
  const changed = await grace.unsafe("UPDATE mementor.turns SET full_text = 'forged' WHERE turn_id = $1", [
    turn,
  ]);
  expect(changed.count).toBe(0);
  await expect(
    ada.unsafe("UPDATE mementor.turns SET author = 'grace' WHERE turn_id = $1", [turn]),
  ).rejects.toMatchObject(REFUSED);
});

test("nobody forges an author", async () => {
  await expect(write(grace, shop, "forged", { author: "ada" })).rejects.toMatchObject(REFUSED);
  expect(await turnsOf(ada, shop)).toEqual([]);
});

test("the trigger refuses a forged author where a policy would not", async () => {
  await team.admin.unsafe(
    "CREATE POLICY too_wide ON mementor.sessions FOR INSERT TO mementor_member WITH CHECK (true)",
  );
  try {
    await expect(write(grace, shop, "forged", { author: "ada" })).rejects.toMatchObject({
      ...REFUSED,
      message: "the author of a row must be the role that writes it",
    });
  } finally {
    await team.admin.unsafe("DROP POLICY too_wide ON mementor.sessions");
  }
});

test("nobody adds rows to another author's turn", async () => {
  const turn = await write(ada, shop, "a");
  const row = [shop, turn];
  const rows = [
    `chunks (project_id, chunk_id, turn_id, chunk_index, content_hash, start, "end", content, words, length)
       VALUES ($1, 900, $2, 9, '\\x00', 0, 1, 'x', '', 1)`,
    "entries (project_id, uuid, turn_id) VALUES ($1, 'u', $2)",
    "file_mentions (project_id, turn_id, file_path, tool_name) VALUES ($1, $2, 'a.ts', 'Edit')",
    "commits (project_id, turn_id, hash, message) VALUES ($1, $2, 'abc', 'm')",
    "turn_copies (project_id, session_id, line_index, turn_id) VALUES ($1, 's', 0, $2)",
  ];
  for (const each of rows)
    await expect(grace.unsafe(`INSERT INTO mementor.${each}`, row)).rejects.toMatchObject({ errno: "23503" });
  const [model] = await grace.unsafe("SELECT mementor.add_model($1, 'm', 3) AS id", [shop]);
  await expect(
    grace.unsafe(
      `INSERT INTO mementor.chunk_vectors (project_id, model_id, chunk_id, turn_id, embedding)
       SELECT project_id, $3, chunk_id, turn_id, '[1,2,3]' FROM mementor.chunks WHERE project_id = $1 AND turn_id = $2`,
      [...row, model.id],
    ),
  ).rejects.toMatchObject({ errno: "23503" });
});

test("a quota that is used up refuses rows of that member only, and not their removal", async () => {
  await write(ada, shop, "a");
  await write(grace, shop, "g");
  const before = await usageOf(ada, "ada");
  expect(before).toEqual({ rows: 3, turns: 1, turnWords: 2, chunks: 1, chunkWords: 2, bytes: 686 });
  await team.admin.unsafe(
    "UPDATE mementor.members SET max_bytes = $1 WHERE project_id = $2 AND role = 'ada'",
    [before.bytes + 100, shop],
  );
  await expect(write(ada, shop, "b")).rejects.toMatchObject({
    errno: "MM001",
    message: `the quota of ada in shop ${count - 1} is used up`,
  });
  await write(grace, shop, "g2");
  await ada.unsafe("UPDATE mementor.turns SET full_text = 'short' WHERE project_id = $1", [shop]);
  expect((await usageOf(ada, "ada")).bytes).toBe(before.bytes - 6);
  await ada.unsafe("DELETE FROM mementor.sessions WHERE project_id = $1", [shop]);
  expect(await usageOf(ada, "ada")).toEqual({
    rows: 0,
    turns: 0,
    turnWords: 0,
    chunks: 0,
    chunkWords: 0,
    bytes: 0,
  });
  expect((await usageOf(ada, "grace")).turns).toBe(2);
  await expect(ada.unsafe("UPDATE mementor.members SET max_bytes = 1e12")).rejects.toMatchObject(REFUSED);
  await expect(ada.unsafe("UPDATE mementor.usage SET bytes = 0")).rejects.toMatchObject(REFUSED);
});

test("a quota counts rows too", async () => {
  await team.admin.unsafe("UPDATE mementor.members SET max_rows = 4 WHERE project_id = $1 AND role = 'ada'", [
    shop,
  ]);
  await write(ada, shop, "a");
  await expect(write(ada, shop, "b")).rejects.toMatchObject({ errno: "MM001" });
});

test("devices count upwards, and only their author counts", async () => {
  const device = [shop, DEVICE];
  await ada.unsafe(
    "INSERT INTO mementor.devices (project_id, author, device_id) VALUES ($1, 'ada', $2)",
    device,
  );
  const set = (sql: SQL, number: number, chain: string) =>
    sql.unsafe("UPDATE mementor.devices SET last_number = $1, chain = $2 WHERE project_id = $3", [
      number,
      Buffer.from(chain),
      shop,
    ]);
  expect((await set(ada, 5, "x")).count).toBe(1);
  await expect(set(ada, 4, "x")).rejects.toMatchObject(REFUSED);
  await expect(set(ada, 5, "y")).rejects.toMatchObject(REFUSED);
  expect((await set(grace, 6, "z")).count).toBe(0);
  await expect(ada.unsafe("DELETE FROM mementor.devices")).rejects.toMatchObject(REFUSED);
  const change = (sql: SQL, author: string, kind: string, target: string, number: number) =>
    sql.unsafe(
      `INSERT INTO mementor.changes (project_id, author, device_id, number, kind, target, turn_key, digest, chain)
       VALUES ($1, $2, $3, $6, $4, $5, '\\x01', '\\x01', '\\x01')`,
      [shop, author, DEVICE, kind, target, number],
    );
  await change(ada, "ada", "put", "ada", 1);
  await expect(change(grace, "ada", "put", "ada", 2)).rejects.toMatchObject(REFUSED);
  await expect(change(ada, "ada", "remove", "grace", 2)).rejects.toMatchObject(REFUSED);
  await expect(ada.unsafe("UPDATE mementor.changes SET kind = 'void'")).rejects.toMatchObject(REFUSED);
  await expect(ada.unsafe("DELETE FROM mementor.changes")).rejects.toMatchObject(REFUSED);
});

const bury = (sql: SQL, target: string, key: string, author: string) =>
  sql.unsafe(
    "INSERT INTO mementor.tombstones (project_id, target, turn_key, author) VALUES ($1, $2, $3, $4)",
    [shop, target, Buffer.from(key), author],
  );

test("a tombstone removes a turn for good, and only its author or an admin writes one", async () => {
  await write(ada, shop, "a");
  await write(ada, shop, "b");
  await write(grace, shop, "a");
  await expect(bury(grace, "ada", "a", "grace")).rejects.toMatchObject(REFUSED);
  await expect(bury(grace, "ada", "a", "ada")).rejects.toMatchObject(REFUSED);
  await bury(ada, "ada", "a", "ada");
  expect(await turnsOf(ada, shop)).toEqual(["b", "a"]);
  await write(ada, shop, "a");
  expect(await turnsOf(ada, shop)).toEqual(["b", "a"]);
  expect((await usageOf(ada, "ada")).chunks).toBe(1);
  await expect(ada.unsafe("DELETE FROM mementor.tombstones")).rejects.toMatchObject(REFUSED);
  await bury(olga, "grace", "a", "olga");
  expect(await turnsOf(ada, shop)).toEqual(["b"]);
  const sessions = await ada.unsafe("SELECT author FROM mementor.sessions WHERE project_id = $1", [shop]);
  expect([...sessions]).toEqual([{ author: "ada" }]);
});

test("members cannot act as the owner, nor change the schema", async () => {
  await expect(ada.unsafe("SET ROLE mementor_owner")).rejects.toMatchObject(REFUSED);
  await expect(ada.unsafe("SET ROLE grace")).rejects.toMatchObject(REFUSED);
  await expect(ada.unsafe("CREATE TABLE mementor.mine (id int)")).rejects.toMatchObject(REFUSED);
  await expect(ada.unsafe("SELECT mementor.require_member($1)", [shop])).rejects.toMatchObject(REFUSED);
  await expect(ada.unsafe("SELECT mementor.set_models($1, 1, 1)", [shop])).rejects.toMatchObject(REFUSED);
  await expect(
    ada.unsafe("INSERT INTO mementor.members (project_id, role) VALUES ($1, 'eve')", [shop]),
  ).rejects.toMatchObject(REFUSED);
});

test("a search of another project is refused", async () => {
  await write(ada, shop, "a");
  const calls = [
    "mementor.count_words($1, ARRAY['text'])",
    "mementor.turns_with($1, ARRAY['text'], 10)",
    "mementor.search_words($1, 'chunk', ARRAY['text'], ARRAY['text'], 10, NULL)",
    "mementor.search_words($1, 'turn', ARRAY['text'], ARRAY['text'], 10, NULL)",
  ];
  for (const call of calls) {
    await expect(eve.unsafe(`SELECT * FROM ${call}`, [shop])).rejects.toMatchObject(REFUSED);
    expect(await grace.unsafe(`SELECT * FROM ${call}`, [shop])).toBeArray();
  }
});

test("words of a search are words, and never SQL", async () => {
  await write(eve, farm, "a");
  const attack = "x' | 'y') OR true; DROP TABLE mementor.turns; --";
  await eve
    .unsafe("SELECT * FROM mementor.search_words($1, 'turn', ARRAY[$2], ARRAY[$2], 10, NULL)", [farm, attack])
    .catch((error: { errno: string }) => expect(error.errno).toBe("42601"));
  const [left] = await eve.unsafe("SELECT count(*)::int AS n FROM mementor.turns WHERE project_id = $1", [
    farm,
  ]);
  expect(left.n).toBe(1);
});

test("a member's own schema does not come before that of a search function", async () => {
  await team.admin.unsafe("CREATE SCHEMA IF NOT EXISTS trap");
  await team.admin.unsafe("GRANT ALL ON SCHEMA trap TO eve");
  await eve.unsafe(
    `CREATE OR REPLACE FUNCTION trap.require_member(project bigint) RETURNS void LANGUAGE sql AS ''`,
  );
  await eve.unsafe(
    "CREATE TABLE IF NOT EXISTS trap.members (project_id bigint, role text, is_admin boolean)",
  );
  await eve.unsafe("INSERT INTO trap.members VALUES ($1, 'eve', true)", [shop]);
  const search = eve.begin(async (sql) => {
    await sql.unsafe("SET LOCAL search_path = trap, mementor, pg_catalog");
    await sql.unsafe("SELECT * FROM mementor.count_words($1, ARRAY['text'])", [shop]);
  });
  await expect(search).rejects.toMatchObject(REFUSED);
  await team.admin.unsafe("DROP SCHEMA trap CASCADE");
});

test("nobody uses ids that another member reserved, nor ids that nobody did", async () => {
  const [reserved] = await ada.unsafe(
    "SELECT first_turn::int AS turn, first_chunk::int AS chunk FROM mementor.reserve_ids($1, 2, 2, 1)",
    [shop],
  );
  await write(grace, shop, "g");
  const turn = (sql: SQL, id: number) =>
    sql.unsafe(
      `INSERT INTO mementor.turns (project_id, turn_id, turn_key, session_id, role, origin, tool_summary, parts, full_text,
         words, length) VALUES ($1, $2, $3, 's1', 'turn', 'human', '[]', '[]', 'the text', '', 2)`,
      [shop, id, Buffer.from(`${id}`)],
    );
  const chunk = (sql: SQL, id: number, of: number) =>
    sql.unsafe(
      `INSERT INTO mementor.chunks (project_id, chunk_id, turn_id, chunk_index, content_hash, start, "end", content, words,
         length) VALUES ($1, $2, $3, 5, '\\x00', 0, 8, 'the text', '', 2)`,
      [shop, id, of],
    );
  const source = (sql: SQL) =>
    sql.unsafe(
      `INSERT INTO mementor.sources (project_id, source_id, path, byte_offset, line_index, resume_offset, resume_line,
         fingerprint, size, mtime_ms, skipped, sessions, left_out, reader_version, updated_at)
       VALUES ($1, 1, 'a.jsonl', 0, 0, 0, 0, '', 0, 0, '{}', '[]', '[]', 1, '')`,
      [shop],
    );
  const own = reserved.turn + 2;
  const refused = [
    () => turn(grace, reserved.turn),
    () => turn(grace, own + 1),
    () => chunk(grace, reserved.chunk, own),
    () => source(grace),
    () => grace.unsafe("UPDATE mementor.turns SET turn_id = $1 WHERE author = 'grace'", [reserved.turn]),
    () => grace.unsafe("UPDATE mementor.chunks SET chunk_id = $1 WHERE author = 'grace'", [reserved.chunk]),
  ];
  for (const each of refused) await expect(each()).rejects.toMatchObject(REFUSED);
  await write(ada, shop, "a");
  for (const id of [reserved.turn, reserved.turn + 1]) await turn(ada, id);
  await chunk(ada, reserved.chunk, reserved.turn);
  await source(ada);
});

test("ids that one member reserves one after the other are one range", async () => {
  const reserve = (sql: SQL) => sql.unsafe("SELECT * FROM mementor.reserve_ids($1, 2, 3, 0)", [shop]);
  for (const sql of [ada, ada, grace, ada]) await reserve(sql);
  const ranges = await team.admin.unsafe(
    `SELECT kind, first::int, last::int, role FROM mementor.reserved_ids WHERE project_id = $1 ORDER BY kind DESC, first`,
    [shop],
  );
  expect([...ranges]).toEqual([
    { kind: "turn", first: 1, last: 4, role: "ada" },
    { kind: "turn", first: 5, last: 6, role: "grace" },
    { kind: "turn", first: 7, last: 8, role: "ada" },
    { kind: "chunk", first: 1, last: 6, role: "ada" },
    { kind: "chunk", first: 7, last: 9, role: "grace" },
    { kind: "chunk", first: 10, last: 12, role: "ada" },
  ]);
});

test("a quota that is used up blocks no removal, and rows may take the place of larger ones", async () => {
  const turn = await write(ada, shop, "a");
  await write(ada, shop, "b");
  const before = await usageOf(ada, "ada");
  await team.admin.unsafe(
    "UPDATE mementor.members SET max_bytes = 10, max_rows = 3 WHERE project_id = $1 AND role = 'ada'",
    [shop],
  );
  const values = [shop, DEVICE];
  const change = (number: number, kind: string) =>
    ada.unsafe(
      `INSERT INTO mementor.changes (project_id, author, device_id, number, kind, target, turn_key, digest, chain)
       VALUES ($1, 'ada', $2, $3, $4, 'ada', '\\x61', '\\x01', '\\x01')`,
      [...values, number, kind],
    );
  await ada.unsafe(
    "INSERT INTO mementor.devices (project_id, author, device_id) VALUES ($1, 'ada', $2)",
    values,
  );
  await change(1, "remove");
  expect(await usageOf(ada, "ada")).toEqual(before);
  const replace = (text: string) =>
    ada.begin(async (sql) => {
      await sql.unsafe("DELETE FROM mementor.turns WHERE project_id = $1 AND turn_id = $2", [shop, turn]);
      await sql.unsafe(
        `INSERT INTO mementor.turns (project_id, turn_id, turn_key, session_id, role, origin, tool_summary, parts, full_text,
           words, length) VALUES ($1, $2, '\\x61', 's1', 'turn', 'human', '[]', '[]', $3, '', 2)`,
        [shop, turn, text],
      );
    });
  await expect(replace("a text that is longer than all that was there".repeat(10))).rejects.toMatchObject({
    errno: "MM001",
  });
  await replace("a text");
  await bury(ada, "ada", "a", "ada");
  expect(await turnsOf(ada, shop)).toEqual(["b"]);
  await expect(change(2, "remove")).rejects.toMatchObject({ errno: "MM001" });
});
