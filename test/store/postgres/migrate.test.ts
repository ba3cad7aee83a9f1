import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { connect } from "../../../src/store/postgres/client/connect.ts";
import type { Database } from "../../../src/store/postgres/client/database.ts";
import { SCHEMA_VERSION, setUpDatabase } from "../../../src/store/postgres/schema/migrate.ts";
import { startPglite, type TestServer } from "../../support/postgres/pglite.ts";

let server: TestServer;
let admin: SQL;
let owner: Database;
const open = (url: string) => connect(url, { env: {}, home: "/nowhere" });

beforeAll(async () => {
  server = await startPglite();
  admin = new SQL(server.url, { max: 1, prepare: false });
  owner = await open(server.url);
});
afterAll(async () => {
  await admin.close();
  await owner.close();
  await server.stop();
});

const version = async () =>
  (await admin.unsafe("SELECT schema_version AS version, server_id AS id FROM mementor.meta"))[0];

test("programs that set up a database at the same time make one schema", async () => {
  const clients = await Promise.all(Array.from({ length: 4 }, () => open(server.url)));
  const done = await Promise.all(clients.map((client) => setUpDatabase(client)));
  expect(done.map(({ from }) => from).sort()).toEqual([0, ...Array(3).fill(SCHEMA_VERSION)]);
  const { version: found, id } = await version();
  expect(found).toBe(SCHEMA_VERSION);
  expect(await setUpDatabase(owner)).toEqual({ from: SCHEMA_VERSION, to: SCHEMA_VERSION });
  expect((await version()).id).toBe(id);
  await Promise.all(clients.map((client) => client.close()));
});

test("every table and function belongs to the owner, and nothing is open to all", async () => {
  const others = await admin.unsafe(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'mementor'::regnamespace
       AND (c.relowner <> 'mementor_owner'::regrole
         OR c.relkind = 'r' AND NOT (c.relrowsecurity AND c.relforcerowsecurity))
     UNION ALL SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'mementor'::regnamespace
       AND (p.proowner <> 'mementor_owner'::regrole OR has_function_privilege('public', p.oid, 'EXECUTE')
         OR p.prosecdef AND NOT 'search_path=pg_catalog, mementor, pg_temp' = ANY(coalesce(p.proconfig, '{}')))`,
  );
  expect([...others]).toEqual([]);
});

test("a schema that a newer program changed is left alone", async () => {
  await admin.unsafe("UPDATE mementor.meta SET schema_version = schema_version + 1");
  await expect(setUpDatabase(owner)).rejects.toMatchObject({ code: "db_newer" });
  await admin.unsafe("UPDATE mementor.meta SET schema_version = schema_version - 1");
});

test("who is not a member of the owner cannot bring the schema up to date", async () => {
  await admin.unsafe("CREATE ROLE passer_by LOGIN");
  const passer = await open(server.urlOf("passer_by"));
  await expect(setUpDatabase(passer)).rejects.toMatchObject({ code: "server_denied" });
  await passer.close();
});
