import { afterAll, expect, test } from "bun:test";
import { failure, open, testClient } from "../store/postgres/client/contract.ts";
import { startProxy } from "../support/postgres/proxy.ts";
import { startRealServer } from "../support/postgres/real-server.ts";
import { until } from "../support/wait.ts";

const started = await startRealServer();
if (typeof started === "string") throw new Error(started);
const server = started;
afterAll(() => server.stop());

testClient(async () => server);

const SLEEPING = "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(60)'";

test("a statement that takes too long is stopped by the server", async () => {
  await using database = await open(server.url);
  const slow = database.transaction((sql) => sql`SELECT pg_sleep(60)`, { timeoutMs: 100 });
  expect(await failure(slow)).toMatchObject({ code: "timeout" });
});

test("a signal cancels the statement at the server, and the connection stays good", async () => {
  await using database = await open(server.url);
  await using other = await open(server.url);
  const controller = new AbortController();
  const slow = failure(
    database.transaction((sql) => sql`SELECT pg_sleep(60)`, { signal: controller.signal, timeoutMs: 90_000 }),
  );
  const sleeping = () => other.transaction((sql) => sql.query(SLEEPING));
  await until("it sleeps", async () => (await sleeping()).length === 1);
  controller.abort(new Error("enough"));
  expect(await slow).toEqual(new Error("enough"));
  await until("it is gone", async () => (await sleeping()).length === 0);
  expect(await database.transaction((sql) => sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
});

test("transactions that collide run again until all are done", async () => {
  await using setup = await open(server.url);
  await setup.transaction(async (sql) => {
    await sql`CREATE TABLE counters (id int PRIMARY KEY, n int)`;
    await sql`INSERT INTO counters VALUES (1, 0)`;
  });
  const databases = await Promise.all(Array.from({ length: 3 }, () => open(server.url)));
  const count = async (database: (typeof databases)[number]) =>
    database.transaction(
      async (sql) => {
        const [row] = await sql<{ n: number }>`SELECT n FROM counters WHERE id = 1`;
        await sql`UPDATE counters SET n = ${(row?.n ?? 0) + 1}::int WHERE id = 1`;
      },
      { isolation: "serializable" },
    );
  await Promise.all(databases.map(count));
  expect(await setup.transaction((sql) => sql`SELECT n FROM counters`)).toEqual([{ n: 3 }]);
  await Promise.all(databases.map((database) => database.close()));
});

test("a session that an administrator ends is replaced", async () => {
  await using database = await open(server.url);
  await using admin = await open(server.url);
  let runs = 0;
  const answer = database.transaction(async (sql) => {
    const [row] = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`;
    if (runs++ === 0)
      await admin.transaction((other) => other`SELECT pg_terminate_backend(${row?.pid}::int)`);
    return sql`SELECT 1 AS one`;
  });
  expect(await answer).toEqual([{ one: 1 }]);
  expect(runs).toBe(2);
});

test("a wrong password, a database that is missing, a right that is missing", async () => {
  await using admin = await open(server.url);
  await admin.transaction(async (sql) => {
    await sql`CREATE ROLE ada_of_client LOGIN PASSWORD 'right'`;
    await sql`CREATE TABLE hidden (id int)`;
  });
  const select = (url: string) =>
    open(url).then(async (database) => {
      await using ada = database;
      return await failure(ada.transaction((sql) => sql`SELECT * FROM hidden`));
    });
  const right = server.urlOf("ada_of_client", "right");
  expect(await select(server.urlOf("ada_of_client", "wrong"))).toMatchObject({ code: "server_login" });
  expect(await select(`${right}_missing`)).toMatchObject({ code: "server_login" });
  expect(await select(right)).toMatchObject({ code: "server_denied" });
  await admin.transaction(async (sql) => {
    await sql`DROP TABLE hidden`;
    await sql`DROP ROLE ada_of_client`;
  });
});

test("a database that its provider made read-only", async () => {
  await using admin = await open(server.url);
  const set = (value: string) => (sql: { query(text: string): Promise<unknown[]> }) =>
    sql.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${value}', current_database()); END $$`,
    );
  await admin.transaction(set("on"));
  await using database = await open(server.url);
  const create = failure(database.transaction((sql) => sql`CREATE TABLE more (id int)`));
  expect(await create).toMatchObject({ code: "server_read_only" });
  expect(await database.transaction((sql) => sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
  await admin.transaction(set("off"));
});

test("an extension that the server does not have", async () => {
  await using database = await open(server.url);
  const missing = database.transaction((sql) => sql`CREATE EXTENSION vectors_of_nobody`);
  expect(await failure(missing)).toMatchObject({ code: "server_unsupported" });
});

test("an answer that is late comes all the same", async () => {
  await using proxy = await startProxy(server.port);
  proxy.delayMs = 30;
  await using database = await open(proxy.urlOf(server.url));
  expect(await database.transaction((sql) => sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
});

test("a connection that goes silent in a transaction is given up", async () => {
  await using proxy = await startProxy(server.port);
  await using database = await open(proxy.urlOf(server.url));
  const silent = database.transaction(
    async (sql) => {
      proxy.mode = "blackhole";
      return sql`SELECT 1`;
    },
    { timeoutMs: 100 },
  );
  expect(await failure(silent)).toMatchObject({ code: "timeout" });
  proxy.mode = "pass";
  expect(await database.transaction((sql) => sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
});
