import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ConnectOptions, connect } from "../../../../src/store/postgres/client/connect.ts";
import type { Database } from "../../../../src/store/postgres/client/database.ts";
import { findSqlState } from "../../../../src/store/postgres/client/errors.ts";
import { insertRows } from "../../../../src/store/postgres/client/insert.ts";
import { HalfTexts } from "../../../../src/store/postgres/team/turns.ts";
import { startProxy, type TestProxy } from "../../../support/postgres/proxy.ts";

/** What the client needs of a server, for PGlite, a real server, and a pooler alike. */
export interface ServerUnderTest {
  readonly url: string;
  readonly port: number;
}

const OPTIONS: ConnectOptions = { env: {}, home: "/nonexistent" };

export function open(url: string, options: Partial<ConnectOptions> = {}): Promise<Database> {
  return connect(url, { ...OPTIONS, ...options });
}

/** Returns what a call rejects with. */
export async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => ({ resolved: value }),
    (error: unknown) => error,
  );
}

/** Tests of the client that hold on every server. */
export function testClient(start: () => Promise<ServerUnderTest>): void {
  describe("the client", () => {
    let server: ServerUnderTest;
    let database: Database;
    let proxy: TestProxy;

    beforeAll(async () => {
      server = await start();
      proxy = await startProxy(server.port);
      database = await open(server.url);
      await database.transaction(async (sql) => {
        await sql`CREATE EXTENSION IF NOT EXISTS vector`;
        await sql`DROP TABLE IF EXISTS things`;
        await sql`CREATE TABLE things (id bigint PRIMARY KEY, name text, body bytea, v halfvec(3), data jsonb, ok boolean)`;
      });
    });
    afterAll(async () => {
      await database.close();
      await proxy[Symbol.asyncDispose]();
    });

    test("values arrive as they were sent", async () => {
      const body = Uint8Array.from({ length: 256 }, (_, i) => i);
      const texts = ["", "NULL", "null", 'a"b\\c,{}', " ü\n\t", "'; DROP TABLE things; --"];
      const [row] = await database.transaction(
        (sql) =>
          sql`SELECT ${5}::int AS small, ${2 ** 40}::bigint AS large, ${1.5}::float8 AS half, ${"x"}::text AS name,
            ${body}::bytea AS body, ${null}::text AS nothing, ${true}::boolean AS ok, ${texts}::text[] AS texts,
            ${[1, 2 ** 40]}::bigint[] AS numbers, ${'{"a":[1]}'}::jsonb AS data, ${"[1,2.5,-3]"}::halfvec AS v,
            count(*) AS count`,
      );
      expect(row).toEqual({
        small: 5,
        large: 2 ** 40,
        half: 1.5,
        name: "x",
        body: Buffer.from(body),
        nothing: null,
        ok: true,
        texts,
        numbers: [1, 2 ** 40],
        data: { a: [1] },
        v: "[1,2.5,-3]",
        count: 1,
      });
    });

    test("a number that JavaScript cannot hold is an error, not another number", async () => {
      const error = await failure(database.transaction((sql) => sql`SELECT 9007199254740993::bigint AS n`));
      expect(error).toMatchObject({ code: "internal" });
    });

    test("many rows are inserted in few statements, and conflicts do nothing", async () => {
      const rows = Array.from({ length: 2500 }, (_, i) => [
        i,
        i % 7 === 0 ? null : `name "${i}", \\{}`,
        Uint8Array.of(i % 256, 0),
        i % 5 === 0 ? null : new HalfTexts().of(Float32Array.of(0.1, i / 3, -i)),
        `{"i":${i},"t":"a\\"b"}`,
        i % 2 === 0,
      ]);
      const things = {
        table: "things",
        columns: { id: "bigint", name: "text", body: "bytea", v: "halfvec", data: "jsonb", ok: "boolean" },
        suffix: "ON CONFLICT DO NOTHING",
      };
      expect(await database.transaction((sql) => insertRows(sql, things, rows))).toBe(2500);
      expect(
        await database.transaction((sql) =>
          insertRows(sql, things, [...rows, [2500, "x", null, null, null, null]]),
        ),
      ).toBe(1);
      const stored = await database.transaction(
        (sql) => sql`SELECT * FROM things WHERE id IN (0, 8, 2499) ORDER BY id`,
      );
      expect(stored).toEqual([
        { id: 0, name: null, body: Buffer.from([0, 0]), v: null, data: { i: 0, t: 'a"b' }, ok: true },
        {
          id: 8,
          name: 'name "8", \\{}',
          body: Buffer.from([8, 0]),
          v: "[0.099975586,2.6660156,-8]",
          data: { i: 8, t: 'a"b' },
          ok: true,
        },
        {
          id: 2499,
          name: null,
          body: Buffer.from([195, 0]),
          v: "[0.099975586,833,-2500]",
          data: { i: 2499, t: 'a"b' },
          ok: false,
        },
      ]);
      expect(await database.transaction((sql) => insertRows(sql, things, []))).toBe(0);
    });

    test("a transaction that fails changes nothing, and its own error passes", async () => {
      const mine = new Error("mine");
      const error = await failure(
        database.transaction(async (sql) => {
          await sql`INSERT INTO things (id) VALUES (${-1})`;
          throw mine;
        }),
      );
      expect(error).toBe(mine);
      expect(await database.transaction((sql) => sql`SELECT id FROM things WHERE id < 0`)).toEqual([]);
    });

    test("the timeout of statements ends with the transaction", async () => {
      const timeout = () =>
        database.transaction((sql) => sql`SELECT current_setting('statement_timeout') AS t`, {
          timeoutMs: 1234,
        });
      expect(await timeout()).toEqual([{ t: "1234ms" }]);
      const mode = await database.transaction(
        (sql) => sql`SELECT current_setting('transaction_read_only') AS r`,
        {
          isReadOnly: true,
        },
      );
      expect(mode).toEqual([{ r: "on" }]);
    });

    test("errors have a code, a hint and a state, and no values", async () => {
      const secret = "hunter2";
      const errorOf = (text: string, values: unknown[] = [secret]) =>
        failure(database.transaction((sql) => sql.query(text, values)));
      const errors = await Promise.all([
        errorOf("SELECT $1::int"),
        errorOf("INSERT INTO things (id, name) VALUES (0, $1)"),
        errorOf("SELECT * FROM missing WHERE name = $1"),
        errorOf("SELEC 'hunter2'", []),
        failure(database.transaction((sql) => sql`DELETE FROM things`, { isReadOnly: true })),
      ]);
      expect(errors.map((error) => [Reflect.get(Object(error), "code"), findSqlState(error)])).toEqual([
        ["internal", "22P02"],
        ["internal", "23505"],
        ["server_unsupported", "42P01"],
        ["internal", "42601"],
        ["server_read_only", "25006"],
      ]);
      for (const error of errors) {
        expect(error).toMatchObject({ hint: expect.stringMatching(/./) });
        expect(Bun.inspect(error, { depth: 10 })).not.toContain(secret);
      }
    });

    test.each([
      ["53400", "server_full"],
      ["42501", "server_denied"],
      ["MM001", "server_full"],
    ])("an error that the schema raises keeps its message (SQLSTATE %s)", async (state, code) => {
      const error = await failure(
        database.transaction((sql) =>
          sql.query(
            `DO $$ BEGIN RAISE EXCEPTION 'the quota is 5' USING ERRCODE = '${state}', HINT = 'Ask for more.'; END $$`,
          ),
        ),
      );
      expect(error).toMatchObject({ code, hint: "Ask for more." });
      expect(String(error)).toContain("the quota is 5");
      expect(findSqlState(error)).toBe(state);
    });

    test("a connection that broke between transactions is replaced", async () => {
      await using mine = await open(proxy.urlOf(server.url));
      const one = () => mine.transaction((sql) => sql`SELECT 1 AS one`);
      expect(await one()).toEqual([{ one: 1 }]);
      proxy.cut();
      expect(await one()).toEqual([{ one: 1 }]);
    });

    test.each(["before", "after"] as const)(
      "a connection that breaks %s the commit makes it run again",
      async (when) => {
        await using mine = await open(proxy.urlOf(server.url));
        const id = when === "before" ? 9001 : 9002;
        const happened = proxy.cutAt("COMMIT", when);
        let runs = 0;
        await mine.transaction(async (sql) => {
          runs++;
          await sql`INSERT INTO things (id) VALUES (${id}) ON CONFLICT DO NOTHING`;
        });
        await happened;
        expect(runs).toBe(2);
        const stored = await database.transaction(
          (sql) => sql`SELECT count(*) AS n FROM things WHERE id = ${id}`,
        );
        expect(stored).toEqual([{ n: 1 }]);
      },
    );

    test("connections that break each time end in an error", async () => {
      await using mine = await open(proxy.urlOf(server.url));
      const cuts = Array.from({ length: 5 }, () => proxy.cutAt("broken", "before"));
      let runs = 0;
      const work = () =>
        mine.transaction((sql) => {
          runs++;
          return sql`SELECT 'broken'`;
        });
      expect(await failure(work())).toMatchObject({ code: "server_unreachable" });
      await Promise.all(cuts);
      expect(runs).toBe(5);
      expect(await failure(work())).toEqual({ resolved: [{ "?column?": "broken" }] });
    });

    test("a server that does not answer is given up", async () => {
      await using silent = await open(proxy.urlOf(server.url), { connectTimeoutMs: 1_000 });
      proxy.mode = "blackhole";
      const error = await failure(silent.transaction((sql) => sql`SELECT 1`));
      proxy.mode = "end";
      const ended = await failure(silent.transaction((sql) => sql`SELECT 1`));
      proxy.mode = "pass";
      const name = new URL(proxy.urlOf(server.url));
      name.password = "";
      expect(error).toMatchObject({
        code: "server_unreachable",
        message: `the server does not answer: ${name}`,
      });
      expect(ended).toMatchObject({ code: "server_unreachable" });
      expect(await silent.transaction((sql) => sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
    });

    test("nothing is sent after the signal", async () => {
      const stopped = AbortSignal.abort(new Error("stopped"));
      const error = await failure(database.transaction((sql) => sql`SELECT 1`, { signal: stopped }));
      expect(error).toEqual(new Error("stopped"));
    });
  });
}
