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
