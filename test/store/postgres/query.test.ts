import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { databaseOf, numbered } from "../../../src/store/postgres/query.ts";
import { json } from "../../../src/store/postgres/text.ts";
import { startPglite, type TestServer } from "../../support/postgres/pglite.ts";

let server: TestServer;
let sql: SQL;

beforeAll(async () => {
  server = await startPglite();
  sql = new SQL(server.url, { max: 1, prepare: false, bigint: true });
});
afterAll(async () => {
  await sql.close();
  await server.stop();
});

test("placeholders are numbered in the order of the text, the project once", () => {
  const text = "SELECT a::text, '? :project' FROM t WHERE p = :project AND x = ? AND y = ? AND q = :project";
  expect(numbered(text, ["x", 2], 7)).toEqual({
    text: "SELECT a::text, '? :project' FROM t WHERE p = $1 AND x = $2 AND y = $3 AND q = $1",
    values: [7, "x", 2],
  });
  expect(() => numbered("SELECT ?", [], 7)).toThrow("0 parameters for 1 places");
  expect(() => numbered("SELECT 1", [1], 7)).toThrow("1 parameters for 0 places");
});

test("rows have numbers, booleans and texts", async () => {
  const database = databaseOf(sql, 7);
  expect(
    await database.get(
      "SELECT :project::bigint AS project, count(*) AS n, true AS yes, ? || 'b' AS text",
      "a",
    ),
  ).toEqual({ project: 7, n: 1, yes: true, text: "ab" });
  expect(await database.get("SELECT 1 WHERE false")).toBeNull();
});

test("texts that PostgreSQL cannot store keep their length", async () => {
  const texts = ["a\0b", "\ud83d", "\ud83d\ude00"];
  const database = databaseOf(sql, 7);
  const rows = await database.all<{ value: string }>(
    "SELECT value FROM jsonb_array_elements_text(?::text::jsonb) UNION ALL SELECT ?",
    json(texts),
    "\0",
  );
  expect(rows.map(({ value }) => value)).toEqual(["a\ufffdb", "\ufffd", "\ud83d\ude00", "\ufffd"]);
});
