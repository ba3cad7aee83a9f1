import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { startRealServer } from "../support/postgres/real-server.ts";

const started = await startRealServer();
if (typeof started === "string") throw new Error(started);
const server = started;
afterAll(() => server.stop());

function open(url = server.url): SQL {
  return new SQL(url, { max: 1, prepare: false });
}

test("the server is new enough and has pgvector", async () => {
  await using sql = open();
  await sql`CREATE EXTENSION vector`;
  const [row] =
    await sql`SELECT current_setting('server_version_num')::int >= 150000 AS ok, '[1,2]'::halfvec <=> '[1,2]'::halfvec AS distance`;
  expect(row).toEqual({ ok: true, distance: 0 });
});

const control = server.control;
if (control !== null)
  test("it survives a crash, and a backup brings its earlier rows back", async () => {
    {
      await using sql = open();
      await sql`CREATE TABLE kept (id int)`;
      await sql`INSERT INTO kept VALUES (1)`;
    }
    const backup = await control.backUp();
    {
      await using sql = open();
      await sql`INSERT INTO kept VALUES (2)`;
      await control.halt("immediate");
    }
    await control.start();
    {
      await using sql = open();
      expect([...(await sql`SELECT id FROM kept ORDER BY id`)]).toEqual([{ id: 1 }, { id: 2 }]);
    }
    await control.restore(backup);
    await using sql = open();
    expect([...(await sql`SELECT id FROM kept`)]).toEqual([{ id: 1 }]);
  });
