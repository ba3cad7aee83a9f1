import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { startPglite, type TestServer } from "./pglite.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startPglite();
  await using admin = open(server.url);
  await admin`CREATE EXTENSION vector`;
  await admin`CREATE ROLE ada LOGIN PASSWORD 'correct horse'`;
  await admin`CREATE ROLE grace LOGIN`;
  await admin`CREATE ROLE nobody_home`;
  await admin`CREATE TABLE notes (id bigint PRIMARY KEY, author text DEFAULT current_user, v vector(3))`;
  await admin`GRANT ALL ON notes TO ada, grace`;
});
afterAll(() => server.stop());

function open(url: string, options: { max?: number } = {}): SQL {
  return new SQL(url, { max: 1, prepare: false, ...options });
}

test("it has pgvector", async () => {
  await using sql = open(server.url);
  const rows = await sql`SELECT '[1,2,3]'::vector <-> '[1,2,4]'::vector AS distance`;
  expect([...rows]).toEqual([{ distance: 1 }]);
});

test("each client acts as its role", async () => {
  await using ada = open(server.urlOf("ada", "correct horse"));
  await using grace = open(server.urlOf("grace"));
  await Promise.all([ada`INSERT INTO notes (id) VALUES (1)`, grace`INSERT INTO notes (id) VALUES (2)`]);
  expect([...(await ada`SELECT id::int, author FROM notes ORDER BY id`)]).toEqual([
    { id: 1, author: "ada" },
    { id: 2, author: "grace" },
  ]);
});

test.each([
  ["ada", "wrong", "28P01"],
  ["ada", "", "28P01"],
  ["nobody_home", undefined, "28000"],
  ["missing", undefined, "28000"],
])("%s with the password %s is refused", async (role, password, errno) => {
  await using sql = open(server.urlOf(role, password));
  const refused = sql`SELECT 1`.then(String, (error: unknown) => error);
  expect(await refused).toMatchObject({ errno });
});

test("transactions of several clients do not mix, and a client that leaves takes its own back", async () => {
  await using ada = open(server.urlOf("ada", "correct horse"));
  const grace = open(server.urlOf("grace"));
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const cut = grace
    .begin(async (sql) => {
      await sql`INSERT INTO notes (id) VALUES (30)`;
      leave();
      await grace.close({ timeout: 0 });
      await sql`INSERT INTO notes (id) VALUES (31)`;
    })
    .catch(() => "cut");
  await left;
  await ada.begin((sql) => sql`INSERT INTO notes (id) VALUES (32)`);
  expect(await cut).toBe("cut");
  expect([...(await ada`SELECT id::int FROM notes WHERE id >= 30`)]).toEqual([{ id: 32 }]);
});

test("nothing of a session is left for the next client", async () => {
  await using ada = open(server.urlOf("ada", "correct horse"));
  await using grace = open(server.urlOf("grace"));
  await ada`SET statement_timeout = '5s'`;
  await ada`CREATE TEMP TABLE scratch (id int)`;
  await grace`SELECT 1`;
  expect([
    ...(await ada`SELECT current_setting('statement_timeout') AS timeout, to_regclass('scratch') AS scratch`),
  ]).toEqual([{ timeout: "0", scratch: null }]);
});

test("a statement that fails leaves the connection in order", async () => {
  await using sql = open(server.url, { max: 3 });
  const failed = sql`SELECT ${1}::int / 0`.then(String, (error: unknown) => error);
  expect(await failed).toMatchObject({ errno: "22012" });
  const rows = await Promise.all([1, 2, 3, 4].map((n) => sql`SELECT ${n}::int AS n`));
  expect(rows.map(([row]) => row.n)).toEqual([1, 2, 3, 4]);
});
