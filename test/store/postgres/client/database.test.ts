import { afterAll, expect, test } from "bun:test";
import { databaseOf } from "../../../../src/store/postgres/client/database.ts";
import { parseTarget } from "../../../../src/store/postgres/client/target.ts";
import { startPglite } from "../../../support/postgres/pglite.ts";
import { failure, open, testClient } from "./contract.ts";

const server = await startPglite();
afterAll(() => server.stop());

testClient(async () => server);

test("a server that cannot be reached", async () => {
  await using database = await open("postgres://ada:hunter2@127.0.0.1:1/memory");
  expect(await failure(database.transaction((sql) => sql`SELECT 1`))).toMatchObject({
    code: "server_unreachable",
    message: "the server cannot be reached: postgres://ada@127.0.0.1:1/memory",
  });
});

test("what keeps connections from being opened is told once, and ends nothing else", async () => {
  const refusal = new Error("no port of loopback");
  const database = databaseOf(parseTarget("postgres://ada@127.0.0.1/memory"), () => Promise.reject(refusal));
  expect(await failure(database.transaction((sql) => sql`SELECT 1`))).toBe(refusal);
  expect(await failure(database.close())).toEqual({ resolved: undefined });
});

test("a login that is refused", async () => {
  await using database = await open(server.urlOf("nobody", "hunter2"));
  expect(await failure(database.transaction((sql) => sql`SELECT 1`))).toMatchObject({ code: "server_login" });
});

test("a connection that breaks in the first transaction fails it once, and nothing else", async () => {
  const broken = new Error("the connection was lost");
  const stray: unknown[] = [];
  const hear = (error: unknown) => stray.push(error);
  process.on("unhandledRejection", hear);
  let asked = 0;
  // The first statement fails while the second is still on its way.
  const unsafe = async () => {
    const turns = asked++ === 0 ? 1 : 50;
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    throw broken;
  };
  const sql = { begin: (_modes: string, run: (transaction: unknown) => Promise<unknown>) => run({ unsafe }) };
  const pool = { sql, failure: () => null, close: async () => {} } as never;
  const database = databaseOf(parseTarget("postgres://ada@127.0.0.1/memory"), async () => pool);
  await expect(database.transaction((statements) => statements.query("SELECT 1", []))).rejects.toThrow();
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", hear);
  expect(stray).toEqual([]);
});
