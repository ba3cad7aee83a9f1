import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { connect } from "../../src/store/postgres/client/connect.ts";
import {
  MEMBER_CONNECTIONS,
  revokeUnlimitedRights,
  roleStatements,
} from "../../src/store/postgres/members/roles.ts";
import { setUpDatabase } from "../../src/store/postgres/schema/migrate.ts";
import { startRealServer } from "../support/postgres/real-server.ts";

const started = await startRealServer();
if (typeof started === "string") throw new Error(started);
const server = started;
afterAll(() => server.stop());

const PASSWORD = "of-a-member";
const REFUSED = { errno: "42501" };
const open = (role: string, max = 1) => new SQL(server.urlOf(role, PASSWORD), { max, prepare: false });

test("a member has neither temporary tables nor large objects nor connections without end; others keep theirs", async () => {
  await using owner = await connect(server.url, { env: {}, home: "/nowhere" });
  await setUpDatabase(owner);
  await using admin = new SQL(server.url, { max: 1, prepare: false });
  await admin.unsafe(`CREATE ROLE app LOGIN PASSWORD '${PASSWORD}'`);
  await admin.unsafe(`CREATE ROLE clerk LOGIN PASSWORD '${PASSWORD}'`);
  for (const statement of roleStatements("eve", PASSWORD)) await admin.unsafe(statement);

  await using clerk = await connect(server.urlOf("clerk"), {
    env: { PGPASSWORD: PASSWORD },
    home: "/nowhere",
  });
  const left = await revokeUnlimitedRights(clerk, "eve");
  expect(left.filter((statement) => statement.startsWith("REVOKE"))).toEqual([
    expect.stringMatching(/^REVOKE TEMPORARY ON DATABASE \S+ FROM PUBLIC$/),
    expect.stringMatching(/^REVOKE EXECUTE ON FUNCTION pg_catalog.lo_creat/),
  ]);
  {
    await using eve = open("eve");
    await eve.unsafe("CREATE TEMPORARY TABLE t (x int)");
  }

  expect(await revokeUnlimitedRights(owner, "eve")).toEqual([]);
  await using eve = open("eve");
  await expect(eve.unsafe("CREATE TEMPORARY TABLE t (x int)")).rejects.toMatchObject(REFUSED);
  for (const call of ["lo_create(0)", "lo_creat(-1)", "lo_from_bytea(0, 'x')", "lo_put(1, 0, 'x')"])
    await expect(eve.unsafe(`SELECT ${call}`)).rejects.toMatchObject(REFUSED);
  await using app = open("app");
  await app.unsafe("CREATE TEMPORARY TABLE t (x int)");
  await app.unsafe("SELECT lo_create(0)");

  const more = Array.from({ length: MEMBER_CONNECTIONS - 1 }, () => open("eve"));
  await Promise.all(more.map((sql) => sql.unsafe("SELECT 1")));
  await using last = open("eve");
  await expect(last.unsafe("SELECT 1")).rejects.toThrow(/too many connections/);
  await Promise.all(more.map((sql) => sql.close()));
  expect(await revokeUnlimitedRights(owner, "eve")).toEqual([]);
});

test("a member makes nothing that runs as the colleague who reads, also where an older server let all roles", async () => {
  await using owner = await connect(server.url, { env: {}, home: "/nowhere" });
  await setUpDatabase(owner);
  await using admin = new SQL(server.url, { max: 1, prepare: false });
  await admin.unsafe(`CREATE ROLE site LOGIN PASSWORD '${PASSWORD}'`);
  await admin.unsafe("GRANT CREATE ON SCHEMA public TO PUBLIC");
  await admin.unsafe(
    "DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO PUBLIC', current_database()); END $$",
  );
  for (const statement of roleStatements("mallory", PASSWORD)) await admin.unsafe(statement);
  await using mallory = open("mallory");
  const make = "CREATE FUNCTION public.jsonb_agg(text) RETURNS text LANGUAGE sql AS $$ SELECT 'planted' $$";
  await mallory.unsafe(make);
  await mallory.unsafe("DROP FUNCTION public.jsonb_agg(text)");

  expect(await revokeUnlimitedRights(owner, "mallory")).toEqual([]);
  await expect(mallory.unsafe(make)).rejects.toMatchObject(REFUSED);
  await expect(mallory.unsafe("CREATE SCHEMA ada")).rejects.toMatchObject(REFUSED);
  await using site = open("site");
  await site.unsafe("CREATE TABLE public.pages (id int)");
});

test("a member's client refuses a server where another member may make functions, or has made one", async () => {
  await using owner = await connect(server.url, { env: {}, home: "/nowhere" });
  await setUpDatabase(owner);
  await using admin = new SQL(server.url, { max: 1, prepare: false });
  for (const name of ["ada", "oscar"])
    for (const statement of roleStatements(name, PASSWORD)) await admin.unsafe(statement);
  const read = async () => {
    await using ada = await connect(server.urlOf("ada"), { env: { PGPASSWORD: PASSWORD }, home: "/nowhere" });
    return ada.transaction((sql) => sql`SELECT 1 AS one`);
  };
  const refusal = expect.objectContaining({ code: "server_untrusted" });
  await admin.unsafe("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
  expect(await read()).toEqual([{ one: 1 }]);
  await admin.unsafe("GRANT CREATE ON SCHEMA public TO PUBLIC");
  await expect(read()).rejects.toEqual(refusal);
  await using oscar = open("oscar");
  await oscar.unsafe("CREATE FUNCTION public.min(text) RETURNS text LANGUAGE sql AS $$ SELECT 'planted' $$");
  await admin.unsafe("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
  await expect(read()).rejects.toEqual(refusal);
  await admin.unsafe("DROP FUNCTION public.min(text)");
  expect(await read()).toEqual([{ one: 1 }]);
  expect(await owner.transaction((sql) => sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
});
